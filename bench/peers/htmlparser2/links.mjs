// htmlparser2. It calls back for each attribute, and builds no objects of attributes.
//
//	htmlparser2 SITE < names > urls
import { Parser } from 'htmlparser2';

import { Links, flush, pages } from './pages.mjs';

let links, tag;
const parser = new Parser({
	onopentagname(name) {
		tag = name;
	},
	onattribute(name, value) {
		links.attribute(tag, name, value);
	},
});

for (const [url, page] of pages(process.argv[2])) {
	links = new Links();
	parser.parseComplete(page);
	links.print(url);
}
flush();

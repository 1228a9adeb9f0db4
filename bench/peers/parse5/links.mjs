// The SAX parser of parse5. It is a stream, and a stream has one page.
//
//	parse5 SITE < names > urls
import { finished } from 'node:stream/promises';

import { SAXParser } from 'parse5-sax-parser';

import { Links, flush, pages } from './pages.mjs';

for (const [url, page] of pages(process.argv[2])) {
	const links = new Links();
	const parser = new SAXParser();
	parser.on('startTag', ({ tagName, attrs }) => {
		for (const { name, value } of attrs) links.attribute(tagName, name, value);
	});
	parser.end(page);
	await finished(parser);
	links.print(url);
}
flush();

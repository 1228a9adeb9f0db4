/* libxml2. Its SAX parser calls one handler, for start tags, and builds no tree. xmlBuildURI resolves.
 *
 *	libxml2 SITE < names > urls
 */
#include "pages.h"

#include <libxml/HTMLparser.h>
#include <libxml/uri.h>

struct links {
    char *bytes; /* the references, each with a NUL at its end; the base may come after them */
    size_t len, room;
    xmlChar *base;
    int based;
};

static void keep(struct links *l, const char *ref, size_t n)
{
    while (n && strchr(" \t\n\r\f", ref[0]))
        ref++, n--;
    while (n && strchr(" \t\n\r\f", ref[n - 1]))
        n--;
    if (l->len + n + 1 > l->room) {
        l->room = 2 * (l->len + n + 1);
        l->bytes = realloc(l->bytes, l->room);
    }
    memcpy(l->bytes + l->len, ref, n);
    l->bytes[l->len + n] = 0;
    l->len += n + 1;
}

/* A candidate of a srcset ends at ", ". Its URL ends at the first white space. */
static void keep_srcset(struct links *l, const char *s)
{
    while (*s) {
        size_t n, url;
        s += strspn(s, " \t\n\r\f,");
        const char *end = strstr(s, ", ");
        n = end ? (size_t)(end - s) : strlen(s);
        url = strcspn(s, " \t\n\r\f");
        if (n)
            keep(l, s, url < n ? url : n);
        s += n;
    }
}

static int is_link(const char *a)
{
    switch (a[0]) {
    case 'h':
        return !strcmp(a, "href");
    case 's':
        return !strcmp(a, "src");
    case 'a':
        return !strcmp(a, "action");
    case 'b':
        return !strcmp(a, "background");
    case 'c':
        return !strcmp(a, "cite");
    case 'd':
        return !strcmp(a, "data");
    case 'f':
        return !strcmp(a, "formaction");
    case 'p':
        return !strcmp(a, "poster");
    }
    return 0;
}

static void start(void *data, const xmlChar *tag, const xmlChar **attrs)
{
    struct links *l = data;
    if (!attrs)
        return;
    int is_base = !strcmp((const char *)tag, "base");
    for (; attrs[0]; attrs += 2) {
        const char *value = (const char *)attrs[1];
        if (!value)
            continue;
        if (is_link((const char *)attrs[0])) {
            if (!is_base) {
                keep(l, value, strlen(value));
            } else if (!l->based) {
                xmlChar *base = xmlBuildURI(attrs[1], l->base);
                l->based = 1;
                if (base) {
                    xmlFree(l->base);
                    l->base = base;
                }
            }
        } else if (attrs[0][0] == 's' && !strcmp((const char *)attrs[0], "srcset")) {
            keep_srcset(l, value);
        }
    }
}

int main(int argc, char **argv)
{
    struct page p = {0};
    struct links l = {0};
    static char out[1 << 16];
    setvbuf(stdout, out, _IOFBF, sizeof out);
    while (next_page(&p, argv[1])) {
        l.len = 0;
        l.based = 0;
        l.base = xmlStrdup((xmlChar *)p.url);

        htmlParserCtxtPtr ctxt = htmlCreateMemoryParserCtxt(p.bytes, p.len);
        if (!ctxt)
            continue; /* an empty file */
        memset(ctxt->sax, 0, sizeof *ctxt->sax);
        ctxt->sax->startElement = start;
        ctxt->userData = &l;
        htmlParseDocument(ctxt);
        htmlFreeParserCtxt(ctxt);

        for (size_t i = 0; i < l.len; i += strlen(l.bytes + i) + 1) {
            xmlChar *url = xmlBuildURI((xmlChar *)l.bytes + i, l.base);
            if (url) {
                fputs_unlocked((char *)url, stdout);
                putc_unlocked('\n', stdout);
                xmlFree(url);
            }
        }
        xmlFree(l.base);
    }
    return fflush(stdout);
}

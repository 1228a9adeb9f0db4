/* lexbor. Its parser builds the tree of the page, and its URL parser resolves the links of the tree.
 *
 *	lexbor SITE < names > urls
 */
#include "pages.h"

#include <lexbor/html/html.h>
#include <lexbor/url/url.h>

struct links {
    lxb_url_parser_t urls;
    lexbor_mraw_t *memory;
    lxb_url_t *base;
};

static lxb_status_t print(const lxb_char_t *s, size_t n, void *ctx)
{
    fwrite_unlocked(s, 1, n, stdout);
    return LXB_STATUS_OK;
}

static void link_found(struct links *l, const lxb_char_t *ref, size_t n)
{
    lxb_url_parser_clean(&l->urls);
    lxb_url_t *url = lxb_url_parse(&l->urls, l->base, ref, n);
    if (url) {
        lxb_url_serialize(url, print, NULL, false);
        putc_unlocked('\n', stdout);
    }
}

static void srcset_found(struct links *l, const char *s, size_t len)
{
    const char *end = s + len;
    while (s < end) {
        while (s < end && strchr(" \t\n\r\f,", *s))
            s++;
        const char *url = s;
        while (s < end && !strchr(" \t\n\r\f", *s))
            s++;
        if (s > url)
            link_found(l, (const lxb_char_t *)url, s - url);
        while (s < end && *s != ',')
            s++;
    }
}

static inline lxb_dom_node_t *next(lxb_dom_node_t *node, lxb_dom_node_t *root)
{
    if (node->first_child)
        return node->first_child;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

/* find_base sets the base to the first BASE with an href, at any position. */
static void find_base(struct links *l, lxb_dom_node_t *root)
{
    for (lxb_dom_node_t *n = root; n; n = next(n, root)) {
        if (n->local_name != LXB_TAG_BASE || n->type != LXB_DOM_NODE_TYPE_ELEMENT)
            continue;
        size_t len;
        const lxb_char_t *href = lxb_dom_element_get_attribute(lxb_dom_interface_element(n), (const lxb_char_t *)"href", 4, &len);
        if (href) {
            lxb_url_parser_clean(&l->urls);
            lxb_url_t *base = lxb_url_parse(&l->urls, l->base, href, len);
            l->base = base ? base : l->base;
            return;
        }
    }
}

enum kind { NONE, ONE, SRCSET };

/* lexbor has constants for href and src, but not for the other attributes with links. */
static enum kind kind_of(lxb_dom_attr_t *a)
{
    if (a->node.local_name == LXB_DOM_ATTR_HREF || a->node.local_name == LXB_DOM_ATTR_SRC)
        return ONE;
    if (a->node.local_name < LXB_DOM_ATTR__LAST_ENTRY)
        return NONE;
    const char *name = (const char *)lxb_dom_attr_local_name(a, NULL);
    switch (name[0]) {
    case 'a':
        return strcmp(name, "action") ? NONE : ONE;
    case 'b':
        return strcmp(name, "background") ? NONE : ONE;
    case 'c':
        return strcmp(name, "cite") ? NONE : ONE;
    case 'd':
        return strcmp(name, "data") ? NONE : ONE;
    case 'f':
        return strcmp(name, "formaction") ? NONE : ONE;
    case 'p':
        return strcmp(name, "poster") ? NONE : ONE;
    case 's':
        return strcmp(name, "srcset") ? NONE : SRCSET;
    }
    return NONE;
}

static void walk(struct links *l, lxb_dom_node_t *root)
{
    for (lxb_dom_node_t *n = root; n; n = next(n, root)) {
        if (n->type != LXB_DOM_NODE_TYPE_ELEMENT || n->local_name == LXB_TAG_BASE)
            continue;
        for (lxb_dom_attr_t *a = lxb_dom_interface_element(n)->first_attr; a; a = a->next) {
            if (!a->value)
                continue;
            switch (kind_of(a)) {
            case ONE:
                link_found(l, a->value->data, a->value->length);
                break;
            case SRCSET:
                srcset_found(l, (char *)a->value->data, a->value->length);
                break;
            case NONE:
                break;
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct page p = {0};
    struct links l = {0};
    static char out[1 << 16];
    setvbuf(stdout, out, _IOFBF, sizeof out);

    l.memory = lexbor_mraw_create();
    if (lexbor_mraw_init(l.memory, 1 << 16) || lxb_url_parser_init(&l.urls, l.memory))
        return 1;
    lxb_html_document_t *doc = lxb_html_document_create();
    while (next_page(&p, argv[1])) {
        lexbor_mraw_clean(l.memory);
        lxb_url_parser_clean(&l.urls);
        l.base = lxb_url_parse(&l.urls, NULL, (lxb_char_t *)p.url, strlen(p.url));
        lxb_html_document_clean(doc);
        if (!l.base || lxb_html_document_parse(doc, (lxb_char_t *)p.bytes, p.len))
            continue;
        find_base(&l, lxb_dom_interface_node(doc));
        walk(&l, lxb_dom_interface_node(doc));
    }
    return fflush(stdout);
}

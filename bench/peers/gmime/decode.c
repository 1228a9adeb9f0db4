/* GMime. It decodes the text/html parts of an mbox, drops the text, and prints the number of
 * these parts. */
#include <fcntl.h>
#include <stdio.h>

#include <gmime/gmime.h>

struct count {
    long parts;
    GMimeStream *nowhere;
};

static void part_found(GMimeObject *parent, GMimeObject *part, gpointer data)
{
    struct count *c = data;
    if (!GMIME_IS_PART(part) || !g_mime_content_type_is_type(g_mime_object_get_content_type(part), "text", "html"))
        return;
    GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *)part);
    if (content) {
        g_mime_data_wrapper_write_to_stream(content, c->nowhere);
        c->parts++;
    }
}

int main(int argc, char **argv)
{
    struct count c = {0};
    int fd = open(argv[1], O_RDONLY);
    if (fd < 0) {
        perror(argv[1]);
        return 1;
    }
    g_mime_init();
    c.nowhere = g_mime_stream_null_new();
    GMimeStream *file = g_mime_stream_fs_new(fd);
    GMimeParser *parser = g_mime_parser_new_with_stream(file);
    g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
    while (!g_mime_parser_eos(parser)) {
        GMimeMessage *m = g_mime_parser_construct_message(parser, NULL);
        if (!m)
            break;
        GMimeObject *body = g_mime_message_get_mime_part(m);
        if (GMIME_IS_MULTIPART(body))
            g_mime_message_foreach(m, part_found, &c);
        else if (body)
            part_found(NULL, body, &c);
        g_object_unref(m);
    }
    printf("%ld\n", c.parts);
    return 0;
}

/* pages.h reads the pages, in the same way for all peers in C. Standard input has one file name
 * on each line. Each file is read completely into one buffer, which the next file overwrites.
 * Include this file first, because it declares the unlocked functions of stdio. */
#ifndef PAGES_H
#define PAGES_H

#define _GNU_SOURCE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct page {
    char *name, *url; /* the URL of an index.html is the URL of its directory */
    char *bytes;
    size_t len;
    /* private: */
    size_t room, name_room, url_room;
};

static inline void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* next_page reads the next page of the list. It returns 0 at the end of the list. */
static inline int next_page(struct page *p, const char *site)
{
    ssize_t n = getline(&p->name, &p->name_room, stdin);
    if (n < 0)
        return 0;
    if (n > 0 && p->name[n - 1] == '\n')
        p->name[--n] = 0;
    if (strlen(site) + n + 1 > p->url_room) {
        p->url_room = strlen(site) + n + 256;
        p->url = realloc(p->url, p->url_room);
    }
    strcpy(stpcpy(p->url, site), p->name);
    char *file = strrchr(p->url, '/') + 1;
    if (!strcmp(file, "index.html"))
        *file = 0;

    struct stat s;
    int fd = open(p->name, O_RDONLY);
    if (fd < 0 || fstat(fd, &s))
        fail(p->name);
    if ((size_t)s.st_size + 1 > p->room) {
        p->room = s.st_size + s.st_size / 2 + 1;
        free(p->bytes);
        p->bytes = malloc(p->room);
    }
    for (p->len = 0; p->len < (size_t)s.st_size; p->len += n) {
        n = read(fd, p->bytes + p->len, s.st_size - p->len);
        if (n <= 0)
            fail(p->name);
    }
    p->bytes[p->len] = 0;
    close(fd);
    return 1;
}

#endif

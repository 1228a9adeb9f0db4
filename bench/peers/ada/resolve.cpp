// ada. Each base is parsed once, for many references. FILE has lines "B URL" and "R REFERENCE".
//
//	ada FILE ROUNDS
//	ada FILE print > urls
#include "ada.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

struct page {
    ada::url_aggregator base;
    std::vector<std::string_view> refs;
};

int main(int, char **argv)
{
    std::ifstream in(argv[1], std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    const std::string text = all.str();

    std::vector<page> pages;
    for (size_t i = 0; i < text.size();) {
        size_t end = text.find('\n', i);
        auto value = std::string_view(text).substr(i + 2, end - i - 2);
        if (text[i] == 'B')
            pages.push_back({ada::parse<ada::url_aggregator>(value).value(), {}});
        else
            pages.back().refs.push_back(value);
        i = end + 1;
    }

    const bool print = std::string_view(argv[2]) == "print";
    const int rounds = print ? 1 : std::atoi(argv[2]);
    size_t sum = 0;
    for (int i = 0; i < rounds; i++)
        for (const auto &p : pages)
            for (auto ref : p.refs) {
                auto url = ada::parse<ada::url_aggregator>(ref, &p.base);
                if (!url)
                    continue;
                auto href = url->get_href();
                sum += href.size();
                if (print) {
                    std::fwrite(href.data(), 1, href.size(), stdout);
                    std::putchar('\n');
                }
            }
    if (!print)
        std::printf("%zu\n", sum);
}

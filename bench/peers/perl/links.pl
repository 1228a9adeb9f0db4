#!/usr/bin/perl
# HTML::LinkExtor. It resolves the links against the URL of the page.
#
#	perl SITE < names > urls
use strict;
use warnings;
use HTML::LinkExtor;

my $site = shift;
binmode STDOUT, ':utf8';
while (my $name = <STDIN>) {
	chomp $name;
	(my $url = $site . $name) =~ s{/index\.html\z}{/};
	open my $file, '<', $name or die "$name: $!";
	my $page = do { local $/; <$file> };
	my $p = HTML::LinkExtor->new(sub {
		my ($tag, %links) = @_;
		print map("$_\n", values %links) unless $tag eq 'base';
	}, $url);
	$p->utf8_mode(1);
	$p->parse($page);
	$p->eof;
}

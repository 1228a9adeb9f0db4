package extract

import (
	"absolink/extract/internal/archive"
	"absolink/extract/internal/css"
	"absolink/extract/internal/html"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

var ARC = archive.ARC
var Atom = xml.Atom

const BaseMalformed = mark.BaseMalformed
const BaseNeeded = mark.BaseNeeded
const BaseNotAbsolute = mark.BaseNotAbsolute
const BaseRepeated = mark.BaseRepeated
const BaseUnsuitable = mark.BaseUnsuitable
const BoundaryMissing = mark.BoundaryMissing
const BoundaryOpen = mark.BoundaryOpen

var CSS = css.CSS

const CharsetUnknown = mark.CharsetUnknown

type Chunk = mark.Chunk
type Code = mark.Code

const DKIMBroken = mark.DKIMBroken
const DepthLimit = mark.DepthLimit
const DigestBroken = mark.DigestBroken

var ENEX = archive.ENEX

type Fault = mark.Fault
type Finder = mark.Finder
type Format = mark.Format

var HAR = archive.HAR
var HTML = html.HTML
var HTTP = http.HTTP

const HeaderMalformed = mark.HeaderMalformed
const LinkMalformed = mark.LinkMalformed
const LocalCopy = mark.LocalCopy

var MAFF = pack.MAFF
var Mbox = mail.Mbox
var MboxCL = mail.MboxCL
var MboxCL2 = mail.MboxCL2
var MboxO = mail.MboxO
var MboxRD = mail.MboxRD
var Message = mail.Message

const NoBase = mark.NoBase

type Place = mark.Place

var Plain = text.Plain

type Problem = mark.Problem

var RDF = xml.RDF
var RSS = xml.RSS

const RatioLimit = mark.RatioLimit
const RecordTruncated = mark.RecordTruncated
const RewriteRefused = mark.RewriteRefused

var SVG = xml.SVG

const SignatureWouldBreak = mark.SignatureWouldBreak
const SizeLimit = mark.SizeLimit

var Tar = pack.Tar

const Undecodable = mark.Undecodable

var WARC = archive.WARC
var Webarchive = archive.Webarchive
var XHTML = xml.XHTML
var XML = xml.XML
var Zip = pack.Zip

import { shownAtOf, type WorldReview } from '../world.ts'
import { authorUri, type FeedContent, offsetText } from './feed-content.ts'

/** A page of the feed as XML. Each entry has its text twice, as plain text and in an HTML table. */
export function feedXml(content: FeedContent, changed: boolean): string {
  const links = content.links.map(
    ({ rel, type, href }) =>
      `<link rel="${rel}"${type === undefined ? '' : ` type="${type}"`} href="${escaped(href)}"/>`,
  )
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns:im="http://itunes.apple.com/rss" xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', content.id),
    element('title', 'iTunes Store: Customer Reviews'),
    element('updated', content.updated),
    ...links,
    '<icon>http://itunes.apple.com/favicon.ico</icon>',
    '<author><name>iTunes Store</name><uri>http://www.apple.com/itunes/</uri></author>',
    element('rights', 'Copyright 2008 Apple Inc.'),
    ...content.reviews.map((review) => entryXml(content, review, changed)),
    '</feed>',
  ].join('\n')
}

function entryXml(content: FeedContent, review: WorldReview, changed: boolean): string {
  const { storefront, appId } = content
  const table = `<table border="0"><tr><td><b>${review.title ?? ''}</b><br/>${review.body}</td></tr></table>`
  const author =
    review.author === null
      ? ''
      : `<author>${element('name', review.author)}${element('uri', authorUri(storefront, review.author))}</author>`
  const related = `https://itunes.apple.com/${storefront}/review?id=${appId}&type=Purple%20Software`
  return [
    '<entry>',
    element('updated', offsetText(shownAtOf(review))),
    element('id', review.id),
    element('title', review.title ?? ''),
    `<content type="text">${escaped(review.body)}</content>`,
    '<im:contentType term="Application" label="Application"/>',
    '<im:voteSum>0</im:voteSum>',
    '<im:voteCount>0</im:voteCount>',
    element(changed ? 'im:stars' : 'im:rating', String(review.rating)),
    review.version === null ? '' : element('im:version', review.version),
    author,
    `<link rel="related" href="${escaped(related)}"/>`,
    `<content type="html">${escaped(table)}</content>`,
    '</entry>',
  ].join('\n')
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

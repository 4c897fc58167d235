import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { contextWith, dropWith, reviewWith } from '../../../../../test/support/chat/message-events.ts'
import type { DigestItem, MailMessage } from '../../target.ts'
import { email } from '../email.ts'
import { createCanvas } from './canvas.ts'
import { BARS } from './charts.ts'
import { digestFigures } from './digest-figures.ts'

const SETTINGS = { to: ['team@example.com'] }

/** Reviews with these stars, each on its own day in January 2026. */
function digestOf(...stars: readonly number[]): DigestItem[] {
  return stars.map((rating, day) => ({
    event: reviewWith({ rating, occurred_at: `2026-01-${String(day + 10).padStart(2, '0')}T23:59:59Z` }),
    context: contextWith(),
  }))
}

function digestMail(items: readonly DigestItem[]): MailMessage {
  const message = email.digest(items, SETTINGS, contextWith())
  assert.ok(message.kind === 'mail')
  return message
}

/** The size and the pixels of a PNG. Checks its structure. */
function read(png: Uint8Array) {
  const bytes = Buffer.from(png)
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const body = bytes.subarray(at + 4, at + 8 + length)
    assert.equal(bytes.readUInt32BE(at + 8 + length), crc32(body))
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += 12 + length
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'])
  const width = chunks.get('IHDR')?.readUInt32BE(0) ?? 0
  const height = chunks.get('IHDR')?.readUInt32BE(4) ?? 0
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  assert.equal(rows.length, (width * 4 + 1) * height)
  const pixel = (x: number, y: number) => {
    const at = y * (width * 4 + 1) + 1 + x * 4
    return [...rows.subarray(at, at + 4)]
  }
  return { width, height, pixel }
}

test('a canvas is transparent where nothing was drawn, with soft edges', () => {
  const canvas = createCanvas(20, 10)
  canvas.dot([10, 5], 3, [200, 0, 0, 1])
  canvas.line([0, 5], [20, 5], 1, [0, 0, 200, 0.5])
  const { width, height, pixel } = read(canvas.png())
  assert.deepEqual([width, height], [40, 20])
  assert.deepEqual(pixel(0, 0), [0, 0, 0, 0])
  assert.deepEqual(pixel(2, 10), [0, 0, 200, 128])
  assert.deepEqual(pixel(20, 6), [200, 0, 0, 255])
  assert.ok(
    Array.from({ length: 20 }, (_, y) => pixel(15, y)[3] ?? 0).some((alpha) => alpha > 0 && alpha < 255),
  )
})

test('the chart counts reviews by stars and averages them by day', () => {
  const two = digestOf(5, 2)
  const figures = digestFigures([...two, ...two.slice(0, 1), { event: dropWith(), context: contextWith() }])
  assert.deepEqual(
    figures?.byStars.map(({ reviews }) => reviews),
    [2, 0, 0, 1, 0],
  )
  assert.deepEqual(
    figures?.byDay.map(({ reviews, averageStars }) => [reviews, averageStars]),
    [
      [2, 5],
      [1, 2],
    ],
  )
  assert.equal(digestFigures([{ event: dropWith(), context: contextWith() }, ...digestOf(3)]), null)
})

test('a digest has pictures inside the mail, and their figures as alternative text and in the text form', () => {
  const mail = digestMail(digestOf(5, 5, 1))
  assert.deepEqual(
    mail.images.map(({ cid }) => cid),
    ['stars@review-radar', 'trend@review-radar'],
  )
  for (const { cid } of mail.images) assert.ok(mail.html.includes(`src="cid:${cid}"`))
  const stars = '5 stars: 2, 4 stars: 0, 3 stars: 0, 2 stars: 0, 1 star: 1'
  const days = '10 Jan: 5.0, 11 Jan: 5.0, 12 Jan: 1.0'
  for (const alt of [stars, days]) assert.ok(mail.html.includes(`alt="${alt}"`))
  assert.ok(mail.text.includes(`Reviews by stars: ${stars}\nAverage stars by day: ${days}`))
  const { width, pixel } = read(mail.images[0]?.png ?? new Uint8Array())
  const middleOf = (row: number) => row * BARS.rowHeight * 2 + BARS.rowHeight
  assert.deepEqual(pixel(width - 20, middleOf(0)), [43, 154, 102, 255], 'the longest bar fills its row')
  assert.deepEqual(pixel(width / 2 - 20, middleOf(4)), [209, 63, 63, 255])
  assert.equal(pixel(width / 2 + 20, middleOf(4))[3], 56, 'half of it')
})

test('a digest of one day has no trend, one review has no pictures', () => {
  const [one = { event: reviewWith(), context: contextWith() }] = digestOf(4)
  assert.deepEqual(
    digestMail([one, one]).images.map(({ cid }) => cid),
    ['stars@review-radar'],
  )
  assert.deepEqual(digestMail([one, { event: dropWith(), context: contextWith() }]).images, [])
})

import { jsonParser } from '../../pipeline/appstores/bounded-json.ts'
import { jsonEnd } from '../../pipeline/appstores/google/shape.ts'

/** A piece of JSON in an answer of a store. */
export type JsonPart = {
  /** What names it in its page, such as `ds:5` or the id of a script; empty for an answer that is JSON. */
  readonly name: string
  readonly value: unknown
}

/** Pages have fewer. Each takes at most the length of the answer. */
const PARTS_MAX = 100

/** The JSON of an answer: the text, the frames of Google's calls, or the data of the scripts of a page. Empty for XML and other texts. */
export function jsonPartsOf(answer: string): JsonPart[] {
  const text = answer.trimStart()
  const isPage = text.startsWith('<')
  const parse = jsonParser()
  const parts: JsonPart[] = []
  let from = 0
  for (let tries = 0; tries < PARTS_MAX; tries += 1) {
    const found = isPage ? nextOfPage(text, from) : nextOfText(text, from)
    if (found === null) break
    const end = jsonEnd(text, found.at)
    try {
      if (end !== null) parts.push({ name: found.name, value: parse(text.slice(found.at, end)) })
    } catch {
      // It is a program, or a page with too many values.
    }
    from = end ?? found.at + 1
  }
  return parts
}

type Start = { readonly at: number; readonly name: string }

/** Frames begin with `)]}'` and a length in digits. Any other text before JSON has a meaning that is unknown. */
function nextOfText(text: string, from: number): Start | null {
  const at = from + text.slice(from).search(/[[{]/)
  return at >= from && /^[)\]}'\s\d]*$/.test(text.slice(from, at)) ? { at, name: '' } : null
}

const SCRIPT_START_CHARS = 200

/** In the next script: its whole content, or the first data in it. */
function nextOfPage(text: string, from: number): Start | null {
  const tag = text.indexOf('<script', from)
  if (tag === -1) return null
  const head = text.slice(tag, tag + SCRIPT_START_CHARS)
  const name =
    /key: '([\w:]{1,20})'/.exec(head)?.[1] ?? /(?:id|type)="([\w/+-]{1,50})"/.exec(head)?.[1] ?? 'script'
  const close = text.indexOf('</script', tag)
  const data = text.indexOf('data:', tag)
  const content = text.indexOf('>', tag) + 1
  const at =
    data === -1 || (close !== -1 && data > close) || /^\s*[[{]/.test(text.slice(content, content + 9))
      ? content
      : data + 5
  const json = /^\s*/.exec(text.slice(at, at + 9))?.[0].length ?? 0
  return content === 0 ? null : { at: at + json, name }
}

/**
 * Parses example texts: `[section]`, then one text a line; an indented line continues the text before it; `#` starts a comment.
 */
export function readExamples(file: string): { readonly section: string; readonly text: string }[] {
  const examples: { section: string; text: string }[] = []
  let section = ''
  for (const line of file.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const heading = /^\[([^\]]+)\]$/.exec(line.trim())?.[1]
    const last = examples.at(-1)
    if (heading !== undefined) section = heading
    else if (/^\s/.test(line) && last !== undefined) last.text += ` ${line.trim()}`
    else examples.push({ section, text: line.trim() })
  }
  return examples
}

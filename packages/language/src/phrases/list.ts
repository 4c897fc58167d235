/** The lines of a list, each cut at its bars; remarks (`#`) and empty lines are left out. */
export function listOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))
}

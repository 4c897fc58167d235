/** The lines of a list, each split at `|`. Comments (`#`) and empty lines are skipped. */
export function listOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))
}

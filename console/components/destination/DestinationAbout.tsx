import { Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { secondaryUrl } from './destination-name.ts'

/** The URL and the description of a destination. The URL is left out if it is the heading. */
export function DestinationAbout({ line }: { readonly line: DestinationLine }) {
  const url = secondaryUrl(line)
  return (
    <>
      {url !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
      )}
      {line.description !== null && (
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} dir="auto">
          {line.description}
        </Text>
      )}
    </>
  )
}

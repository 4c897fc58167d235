import { Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { urlBeside } from '../../util/destination-name.ts'

/** The URL of a named destination, and its description. */
export function DestinationAbout({ line }: { readonly line: DestinationLine }) {
  const url = urlBeside(line)
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

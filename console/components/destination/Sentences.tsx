import { Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { subscriptionsOf } from '../../util/subscriptions.ts'

/** Longer lists end with a number; the page of the destination has them all. */
const SENTENCES_MAX = 2

/** The subscriptions of a destination in a list. */
export function Sentences({ line }: { readonly line: DestinationLine }) {
  const sentences = subscriptionsOf(line).map(({ id, sentence }) => ({ id, sentence }))
  const shown = sentences.slice(0, SENTENCES_MAX)
  if (sentences.length > SENTENCES_MAX) {
    shown.push({ id: 'more', sentence: destinationTexts.more(sentences.length - SENTENCES_MAX) })
  }
  if (sentences.length === 0) shown.push({ id: 'none', sentence: destinationTexts.noSubscriptions })
  return shown.map(({ id, sentence }) => (
    <Text key={id} size="xs" c="dimmed">
      {sentence}
    </Text>
  ))
}

import { useDebouncedValue } from '@mantine/hooks'
import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { destinationsQuery } from '../data/destinations.ts'
import { paletteReviewsQuery } from '../data/reviews.ts'
import { commandTexts } from '../messages/shell.ts'
import { destinationName } from './destination/destination-name.ts'
import { useSuggestions } from './review-filters/suggestions.ts'

/** A search starts once typing pauses this long. */
const TYPING_PAUSE_MS = 250
const EVENT_ID = /^[0-9a-f]{64}$/
const TITLE_CHARS = 80

/** What the command palette finds by the typed text: an event, filters of reviews, reviews and destinations. */
export function usePaletteFinds(typed: string, isOpen: boolean): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const [text] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS)
  const destinations = useQuery({ ...destinationsQuery, enabled: isOpen })
  const reviews = useQuery({ ...paletteReviewsQuery(text), enabled: isOpen && text.length > 1 })
  const suggestions = useSuggestions(isOpen ? typed : '')
  const id = typed.trim().toLowerCase()
  const isEvent = EVENT_ID.test(id)
  return [
    {
      group: commandTexts.events,
      actions: isEvent
        ? [
            {
              id: 'event',
              label: commandTexts.openEvent(id.slice(0, 12)),
              onClick: () => void navigate({ to: '/deliveries/$eventId', params: { eventId: id } }),
            },
          ]
        : [],
    },
    {
      group: commandTexts.reviews,
      actions: [
        ...suggestions
          // Apps have a group of their own.
          .filter(({ filters }) => filters.app_id === undefined)
          .map(({ key, label, filters }) => ({
            id: `suggestion/${key}`,
            label,
            onClick: () => void navigate({ to: '/reviews', search: filters }),
          })),
        ...(text.length > 1 && !isEvent
          ? [
              ...(reviews.data?.data ?? []).map(({ fingerprint, title, body, rating, app_name, app_id }) => ({
                id: `review/${fingerprint}`,
                label: [title, body].filter(Boolean).join(': ').slice(0, TITLE_CHARS),
                description: commandTexts.reviewOf(rating, app_name ?? app_id),
                onClick: () => void navigate({ to: '/reviews/$fingerprint', params: { fingerprint } }),
              })),
              {
                id: 'search',
                label: commandTexts.searchReviews(typed.trim()),
                onClick: () => void navigate({ to: '/reviews', search: { text: typed.trim() } }),
              },
            ]
          : []),
      ],
    },
    {
      group: commandTexts.destinations,
      actions: (destinations.data ?? []).map((destination) => ({
        id: `destination/${destination.id}`,
        label: destinationName({ name: destination.name, targetUrl: destination.targetUrl }),
        description: destination.targetUrl,
        onClick: () => void navigate({ to: '/destinations/$id', params: { id: destination.id } }),
      })),
    },
  ]
}

import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RatingDropLine } from '../../src/contract/console/apps.ts'
import { storefrontName } from '../../src/contract/console/market-names.ts'
import { ratingDropTexts } from '../messages/overview.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ratingChange } from '../util/rating-change.ts'

/** Rating drops, newest first. */
export function RatingDrops<D extends RatingDropLine>({
  drops,
  nameOf,
}: {
  readonly drops: readonly D[]
  /** Shows the app, for a list of several apps. */
  readonly nameOf?: (drop: D) => ReactNode
}) {
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {drops.map((drop, index) => {
        const { before, now } = ratingChange(drop.before, drop.now)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two stores may show a drop of the same app at the same time
          <Text key={index} size="sm" component="li">
            {ratingDropTexts.line(
              <Text span c="var(--mantine-color-red-text)" fw={600} aria-hidden>
                ▼{' '}
              </Text>,
              nameOf !== undefined && <>{nameOf(drop)}, </>,
              storefrontName(drop.storefront),
              before,
              now,
              <Text span c="dimmed" inherit>
                <Instant at={drop.at} as="clock" />
              </Text>,
            )}
          </Text>
        )
      })}
    </Stack>
  )
}

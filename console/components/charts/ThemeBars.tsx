import { Box, Group, Progress, Stack, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { displayName, THEME_NAMES } from '../../../src/contract/console/display-names.ts'
import { THEMES } from '../../../src/model/vocabulary.ts'
import { chartTexts, themeBarTexts } from '../../messages/charts.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { number } from '../../util/numbers.ts'
import { NoData } from './common.tsx'

const THEMES_SHOWN = 12

/** The most frequent themes of an app's reviews, linked to these reviews. */
export function ThemeBars({ page: { app, themes } }: { readonly page: Pick<AppPage, 'app' | 'themes'> }) {
  const max = themes[0]?.count ?? 0
  if (max === 0) return <NoData>{chartTexts.noEnriched}</NoData>
  return (
    <Stack gap={6}>
      {themes.slice(0, THEMES_SHOWN).map(({ theme, count, negative, trend }) => (
        <Group key={theme} gap="xs" wrap="nowrap">
          <AnchorLink
            to="/reviews"
            search={{ store: app.store, app_id: app.app_id, theme: THEMES.find((known) => known === theme) }}
            size="sm"
            w={150}
            style={{ flexShrink: 0 }}
          >
            {displayName(THEME_NAMES, theme)}
          </AnchorLink>
          <Progress.Root size="lg" style={{ flex: 1 }}>
            <Progress.Section
              value={(100 * negative) / max}
              color="red.7"
              aria-label={themeBarTexts.negative(negative)}
            />
            <Progress.Section
              value={(100 * (count - negative)) / max}
              color="cyan.7"
              aria-label={themeBarTexts.other(count - negative)}
            />
          </Progress.Root>
          <Box visibleFrom="xs">
            <Trend counts={trend} label={displayName(THEME_NAMES, theme)} />
          </Box>
          <Text size="sm" w={44} ta="right" style={{ flexShrink: 0 }}>
            {number(count)}
          </Text>
        </Group>
      ))}
      <Text size="xs" c="dimmed">
        {themeBarTexts.redNote}
        <Text span inherit visibleFrom="xs">
          {' '}
          {themeBarTexts.trendNote}
        </Text>
      </Text>
    </Stack>
  )
}

const SPARK = { width: 90, height: 18 }

/** A sparkline of mentions in equal parts of the range, oldest first. */
function Trend({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const max = Math.max(1, ...counts)
  const barWidth = SPARK.width / Math.max(1, counts.length)
  const bars = counts.map((count, part) => {
    const height = (count / max) * SPARK.height
    return count === 0 ? '' : `M${part * barWidth} ${SPARK.height}v${-height}h${barWidth * 0.8}v${height}z`
  })
  const text = themeBarTexts.trend(label, counts[0] ?? 0, counts.at(-1) ?? 0, max)
  return (
    <svg width={SPARK.width} height={SPARK.height} role="img" aria-label={text} style={{ flexShrink: 0 }}>
      <title>{text}</title>
      <path d={bars.join('')} fill="var(--mantine-color-cyan-7)" />
    </svg>
  )
}

import { Box, Group, Progress, Skeleton, Text } from '@mantine/core'
import { IconBrandApple, IconBrandGooglePlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { differenceTexts, figureTexts } from '../../messages/compare.ts'
import { AnchorLink } from '../../ui/links.tsx'
import type { Selection } from '../../util/comparison.ts'
import { type Difference, differenceOf, type FigureKind, ratePlaces } from '../../util/figures.ts'
import { average, decimal, number, percent } from '../../util/numbers.ts'
import { STAR_COLORS } from '../charts/common.tsx'
import type { FigureRow } from './rows.ts'

/** A figure with its difference below, so that rows keep their height while columns load. */
const HEIGHT = 46
const STORE_ICONS = { apple: IconBrandApple, google: IconBrandGooglePlay } as const

export function LoadingFigure() {
  return (
    <Box h={HEIGHT}>
      <Skeleton height={18} width={90} />
    </Box>
  )
}

export function UnknownFigure() {
  return <Box h={HEIGHT}>–</Box>
}

/** A figure that links to its reviews. `base`: that of the first column, undefined in this column. */
export function Figure({
  row,
  value,
  count,
  days,
  base,
  selections,
}: {
  readonly row: FigureRow
  readonly value: number | null
  /** Of a share. */
  readonly count: number | null
  readonly days: number
  readonly base: number | null | undefined
  readonly selections: readonly Selection[]
}) {
  if (value === null) return <UnknownFigure />
  const text = textOf(row.kind, value)
  const difference = base === undefined ? null : differenceOf(row.kind, value, base)
  return (
    <Box mih={HEIGHT}>
      <Group gap={6} wrap="nowrap">
        <Reviews
          row={row}
          selections={(count ?? value) === 0 ? [] : selections}
          aside={row.kind === 'rate' ? figureTexts.overDays(days) : count === null ? null : number(count)}
        >
          {text}
        </Reviews>
        {row.filters.stars !== undefined && <StarBar stars={Number(row.filters.stars)} share={value} />}
      </Group>
      {difference !== null && <DifferenceText difference={difference} better={row.better} />}
    </Box>
  )
}

/** The figure as a link. Reviews of both stores have a link each, since a list of reviews is of one app or all. */
function Reviews({
  row,
  selections,
  aside,
  children,
}: {
  readonly row: FigureRow
  readonly selections: readonly Selection[]
  /** Beside the figure. */
  readonly aside: string | null
  readonly children: string
}) {
  const [first] = selections
  const besideIt = aside === null ? null : <Aside>{aside}</Aside>
  if (selections.length === 1) {
    return (
      <>
        <AnchorLink
          to="/reviews"
          search={{ ...first, ...row.filters }}
          size="sm"
          fw={600}
          style={{ whiteSpace: 'nowrap' }}
        >
          {children}
        </AnchorLink>
        {besideIt}
      </>
    )
  }
  return (
    <>
      <Text span size="sm" fw={600}>
        {children}
      </Text>
      {besideIt}
      {selections.map((selection) => {
        if (selection.store === undefined) return null
        const Icon = STORE_ICONS[selection.store]
        return (
          <AnchorLink
            key={selection.store}
            to="/reviews"
            search={{ ...selection, ...row.filters }}
            aria-label={figureTexts.reviewsIn(row.label, STORE_NAMES[selection.store])}
            title={STORE_NAMES[selection.store]}
            lh={0}
            p={4}
          >
            <Icon size={16} aria-hidden />
          </AnchorLink>
        )
      })}
    </>
  )
}

/** The share is beside it as text. */
function StarBar({ stars, share }: { readonly stars: number; readonly share: number }) {
  return (
    <Progress.Root size="sm" style={{ flex: 1 }} miw={30} aria-hidden>
      <Progress.Section value={100 * share} color={STAR_COLORS[stars - 1] ?? 'gray'} withAria={false} />
    </Progress.Root>
  )
}

function Aside({ children }: { readonly children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function DifferenceText({
  difference,
  better,
}: {
  readonly difference: Difference
  readonly better: FigureRow['better']
}) {
  const { direction } = difference
  const color =
    direction === 'same'
      ? 'dimmed'
      : better === null
        ? undefined
        : `var(--mantine-color-${direction === better ? 'teal' : 'red'}-text)`
  return (
    <Text size="sm" {...(color === undefined ? {} : { c: color })}>
      {wordsOf(difference)}
    </Text>
  )
}

function wordsOf({ kind, direction, distance }: Difference): string {
  const isUp = direction === 'up'
  switch (kind) {
    case 'same':
      return differenceTexts.same
    case 'count':
      return differenceTexts.more(number(distance))
    case 'rate':
      return differenceTexts.more(decimal(distance, ratePlaces(distance)))
    case 'percent':
      if (distance === 0) return isUp ? differenceTexts.littleMore : differenceTexts.littleFewer
      return isUp ? differenceTexts.percentUp(distance) : differenceTexts.percentDown(distance)
    case 'stars':
      return isUp ? differenceTexts.higher(distance) : differenceTexts.lower(distance)
    case 'points':
      return isUp ? differenceTexts.pointsUp(distance) : differenceTexts.pointsDown(distance)
  }
}

function textOf(kind: FigureKind, value: number): string {
  switch (kind) {
    case 'count':
      return number(value)
    case 'rate':
      return decimal(value, ratePlaces(value))
    case 'average':
      return `${average(value)} ★`
    case 'share':
      return percent(value)
  }
}

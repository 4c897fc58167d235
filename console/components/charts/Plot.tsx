import { Box, Group, Paper, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import type { ReleaseLine } from '../../../src/contract/console/apps.ts'
import { stateTexts } from '../../messages/common.ts'
import { ReleaseMarks } from './Releases.tsx'
import { linear, type Scale, timeTicks, valueTicks } from './scale.ts'

/** In pixels. */
const HEIGHT = 220
const EDGE = { left: 44, right: 12, top: 10, bottom: 24 } as const
const TICK_WIDTH = 76
/** Half of the longest label of a tick. */
const LABEL_HALF = 28

/** A cursor position: an instant and the chart's values at it. */
export type Stop = {
  readonly atMs: number
  readonly title: string
  readonly rows: readonly { readonly name: string; readonly color: string; readonly value: string }[]
  /** Events at that time, such as a release. */
  readonly notes?: readonly string[]
}

/**
 * A chart over time: axes in proportion to time, and a cursor that the pointer or the arrow keys move from stop to stop.
 * For a screen reader, it is a slider whose value is the text of the stop.
 */
export function Plot(props: {
  readonly label: string
  readonly sinceMs: number
  readonly untilMs: number
  readonly low: number
  readonly high: number
  /** The minimum distance between two values on the axis. */
  readonly minStep?: number
  readonly format: (value: number) => string
  /** Oldest first. */
  readonly stops: readonly Stop[]
  readonly releases?: readonly ReleaseLine[]
  readonly children: (x: Scale, y: Scale) => ReactNode
}) {
  const { sinceMs, untilMs, low, high, stops } = props
  const { ref, width } = useElementSize()
  const [cursor, setCursor] = useState<number | null>(null)
  const [rightPx, bottomPx] = [Math.max(EDGE.left + 1, width - EDGE.right), HEIGHT - EDGE.bottom]
  const x = linear(sinceMs, untilMs, EDGE.left, rightPx)
  const y = linear(low, high, bottomPx, EDGE.top)
  const last = stops.length - 1
  const place = cursor === null ? last : Math.min(cursor, last)
  const stop = stops[place]
  const point = ({ currentTarget, clientX }: PointerEvent) =>
    setCursor(nearest(stops, clientX - currentTarget.getBoundingClientRect().left, x))
  const move = (event: KeyboardEvent) => {
    const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setCursor(Math.max(0, Math.min(last, next)))
  }
  return (
    <Box ref={ref} pos="relative" h={HEIGHT}>
      <svg width={width} height={HEIGHT} aria-hidden style={{ display: 'block' }}>
        {valueTicks(low, high, 4, props.minStep ?? 0).map((value) => (
          <g key={value}>
            <line x1={EDGE.left} x2={rightPx} y1={y(value)} y2={y(value)} className="chart-grid" />
            <text x={EDGE.left - 8} y={y(value)} dy="0.35em" textAnchor="end" className="chart-label">
              {props.format(value)}
            </text>
          </g>
        ))}
        {timeTicks(sinceMs, untilMs, Math.max(2, Math.floor((rightPx - EDGE.left) / TICK_WIDTH))).map(
          ({ atMs, label }) => (
            <text
              key={atMs}
              // The last label stays within the drawing.
              x={Math.min(x(atMs), width - LABEL_HALF)}
              y={HEIGHT - 6}
              textAnchor="middle"
              className="chart-label"
            >
              {label}
            </text>
          ),
        )}
        {width > 0 && (
          <ReleaseMarks releases={props.releases ?? []} x={x} topPx={EDGE.top} bottomPx={bottomPx} />
        )}
        {width > 0 && props.children(x, y)}
        {cursor !== null && stop !== undefined && (
          <line x1={x(stop.atMs)} x2={x(stop.atMs)} y1={EDGE.top} y2={bottomPx} className="chart-cursor" />
        )}
      </svg>
      <div
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, place)}
        aria-valuetext={stop === undefined ? stateTexts.noData : textOf(stop)}
        className="chart-cursor-area"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setCursor(null)}
        onFocus={() => setCursor(cursor ?? last)}
        onBlur={() => setCursor(null)}
        onKeyDown={move}
      />
      {cursor !== null && stop !== undefined && <Tip stop={stop} atPx={x(stop.atMs)} widthPx={width} />}
    </Box>
  )
}

/** The values at the cursor, on the side with more space. */
function Tip({
  stop,
  atPx,
  widthPx,
}: {
  readonly stop: Stop
  readonly atPx: number
  readonly widthPx: number
}) {
  const side = atPx < widthPx / 2 ? { left: atPx + 10 } : { right: widthPx - atPx + 10 }
  return (
    <Paper withBorder shadow="sm" p={8} className="chart-tip" style={side} aria-hidden>
      <Text size="xs" fw={600}>
        {stop.title}
      </Text>
      {stop.notes?.map((note) => (
        <Text key={note} size="xs">
          {note}
        </Text>
      ))}
      {stop.rows.map(({ name, color, value }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <Swatch color={color} />
          <Text size="xs">{name}</Text>
          <Text size="xs" ml="auto" pl="sm" fw={500}>
            {value}
          </Text>
        </Group>
      ))}
    </Paper>
  )
}

/** The colour of a series beside its name. */
export function Swatch({ color }: { readonly color: string }) {
  return <span aria-hidden className="chart-swatch" style={{ ['--swatch' as string]: color }} />
}

function textOf({ title, rows, notes = [] }: Stop): string {
  return `${title}: ${[...notes, ...rows.map(({ name, value }) => `${name} ${value}`)].join(', ')}`
}

function nearest(stops: readonly Stop[], px: number, x: Scale): number | null {
  let found: number | null = null
  let min = Number.POSITIVE_INFINITY
  for (const [index, { atMs }] of stops.entries()) {
    const distance = Math.abs(x(atMs) - px)
    if (distance >= min) continue
    found = index
    min = distance
  }
  return found
}

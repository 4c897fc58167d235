import { Badge, Button, Group, Skeleton, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DAY_MS } from '../../../src/model/days.ts'
import { compareProblemTexts, compareTexts, figureTexts } from '../../messages/compare.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { Failed } from '../../ui/States.tsx'
import type { Column } from '../../util/comparison.ts'
import type { Figures } from '../../util/figures.ts'
import { columnName } from './column-name.ts'
import { AppField, CountryField, type FieldProps, PeriodField, VersionField } from './Fields.tsx'
import { Figure, LoadingFigure, UnknownFigure } from './FigureCell.tsx'
import { type FigureRow, LABEL_ROWS, requestRows, STAR_ROWS, themeRows, VOLUME_ROWS } from './rows.ts'
import { type ColumnResult, useAppNames } from './use-comparison.ts'

const NAME_WIDTH = 128
const COLUMN_WIDTH = 214
/** Row names stay while the columns scroll below them. */
const STICKY = {
  position: 'sticky',
  insetInlineStart: 0,
  zIndex: 1,
  background: 'var(--mantine-color-body)',
  width: NAME_WIDTH,
  minWidth: NAME_WIDTH,
  overflowWrap: 'anywhere',
  verticalAlign: 'top',
} as const
/** The table draws no line below the last row of a group. */
const GROUP = { borderTop: '1px solid var(--table-border-color)' } as const
const TOP = { verticalAlign: 'top' } as const
/** Rows in place of themes and features, while no column is loaded. */
const LOADING_ROWS = ['1', '2', '3', '4', '5'] as const

const FIELDS: readonly { readonly label: string; readonly Field: (props: FieldProps) => ReactNode }[] = [
  { label: compareTexts.app, Field: AppField },
  { label: compareTexts.storefront, Field: CountryField },
  { label: compareTexts.version, Field: VersionField },
  { label: compareTexts.period, Field: PeriodField },
]

type ColumnActions = {
  readonly onChange: (index: number, change: Partial<Column>) => void
  readonly onMakeBase: (index: number) => void
  /** Null: a comparison has two columns at least. */
  readonly onRemove: ((index: number) => void) | null
}

/** A column for each selection of reviews, a row for each figure. */
export function ComparisonTable({
  results,
  ...actions
}: { readonly results: readonly ColumnResult[] } & ColumnActions) {
  const nameOf = useAppNames()
  const figures = results.flatMap(({ state }) => (state.kind === 'loaded' ? [state.figures] : []))
  const isLoading = figures.length === 0 && results.some(({ state }) => state.kind === 'loading')
  return (
    <ScrollRegion label={compareTexts.table}>
      <Table
        aria-label={compareTexts.table}
        miw={NAME_WIDTH + results.length * COLUMN_WIDTH}
        style={{ tableLayout: 'fixed' }}
        verticalSpacing={6}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" style={STICKY}>
              {compareTexts.figure}
            </Table.Th>
            {results.map(({ column, resolved }, index) => {
              const { title, about } = columnName(column, resolved, nameOf)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its position
                <Table.Th key={index} scope="col" style={{ ...TOP, overflowWrap: 'anywhere' }}>
                  {title}{' '}
                  <Text size="sm" c="dimmed" fw={400} mih={42}>
                    {about}
                  </Text>
                </Table.Th>
              )
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Row label={compareTexts.order} results={results}>
            {(_, index) => <Actions index={index} {...actions} />}
          </Row>
          {FIELDS.map(({ label, Field }) => (
            <Row key={label} label={label} results={results}>
              {(result, index) => (
                <Field
                  result={result}
                  position={index + 1}
                  onChange={(change) => actions.onChange(index, change)}
                />
              )}
            </Row>
          ))}
        </Table.Tbody>
        <FigureRows rows={VOLUME_ROWS} results={results} withStates />
        <FigureRows rows={STAR_ROWS} results={results} />
        <FigureRows rows={LABEL_ROWS} results={results} />
        <TopRows
          title={figureTexts.themes}
          none={figureTexts.noThemes}
          rows={themeRows(figures)}
          isLoading={isLoading}
          results={results}
        />
        <TopRows
          title={figureTexts.requests}
          none={figureTexts.noRequests}
          rows={requestRows(figures)}
          isLoading={isLoading}
          results={results}
        />
      </Table>
    </ScrollRegion>
  )
}

function Row({
  label,
  results,
  children,
}: {
  readonly label: string
  readonly results: readonly ColumnResult[]
  readonly children: (result: ColumnResult, index: number) => ReactNode
}) {
  return (
    <Table.Tr>
      <Table.Th scope="row" style={STICKY} fw={500}>
        {label}
      </Table.Th>
      {results.map((result, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its position
        <Table.Td key={index} style={TOP}>
          {children(result, index)}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function Actions({ index, onMakeBase, onRemove }: { readonly index: number } & ColumnActions) {
  const of = compareTexts.column(index + 1)
  return (
    <Group gap={4} mih={26}>
      {index === 0 ? (
        <Badge variant="light" tt="none" title={compareTexts.baseNote}>
          {compareTexts.base}
        </Badge>
      ) : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onMakeBase(index)}
          aria-label={`${compareTexts.makeBase}: ${of}`}
        >
          {compareTexts.makeBase}
        </Button>
      )}
      {onRemove !== null && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => onRemove(index)}
          aria-label={`${compareTexts.remove} ${of}`}
        >
          {compareTexts.remove}
        </Button>
      )}
    </Group>
  )
}

function FigureRows({
  rows,
  results,
  withStates = false,
}: {
  readonly rows: readonly FigureRow[]
  readonly results: readonly ColumnResult[]
  /** Says in the first row what is wrong with a column. */
  readonly withStates?: boolean
}) {
  const base = results[0]
  return (
    <Table.Tbody style={GROUP}>
      {rows.map((row, at) => (
        <Row key={row.key} label={row.label} results={results}>
          {(result, index) => (
            <>
              <FigureOf row={row} result={result} base={index === 0 ? undefined : base} />
              {withStates && at === 0 && <StateOf result={result} />}
            </>
          )}
        </Row>
      ))}
    </Table.Tbody>
  )
}

function FigureOf({
  row,
  result: { state, resolved, column },
  base,
}: {
  readonly row: FigureRow
  readonly result: ColumnResult
  readonly base: ColumnResult | undefined
}) {
  if (state.kind === 'loading') return <LoadingFigure />
  if (state.kind !== 'loaded' || resolved.kind !== 'selected') return <UnknownFigure />
  const { figures } = state
  const days = daysOf({ column, resolved }, figures)
  return (
    <Figure
      row={row}
      value={row.valueOf(figures, days)}
      count={row.countOf?.(figures) ?? null}
      days={days}
      base={
        base === undefined
          ? undefined
          : base.state.kind === 'loaded'
            ? row.valueOf(base.state.figures, daysOf(base, base.state.figures))
            : null
      }
      selections={resolved.selections}
    />
  )
}

/** Days of the period, of which the last one may not be over. Those of a version are the days from its first review to its last. */
function daysOf({ column, resolved }: Pick<ColumnResult, 'column' | 'resolved'>, figures: Figures): number {
  if (column.version !== undefined || resolved.kind !== 'selected') return figures.days
  return (resolved.until.getTime() - resolved.since.getTime()) / DAY_MS
}

const PROBLEMS = {
  app: compareProblemTexts.app,
  order: compareProblemTexts.order,
  length: compareProblemTexts.length,
  release: compareProblemTexts.release,
  version: compareProblemTexts.version,
  versions: compareProblemTexts.versions,
} as const

function StateOf({ result: { state, resolved, column } }: { readonly result: ColumnResult }) {
  if (resolved.kind === 'invalid') return <Problem>{PROBLEMS[resolved.problem]}</Problem>
  if (state.kind === 'failed') return <Failed error={state.error} onRetry={state.retry} />
  if (state.kind !== 'loaded' || state.figures.reviews > 0) return null
  return (
    <Text size="sm" c="dimmed">
      {column.version === undefined
        ? compareTexts.noReviews
        : compareTexts.noReviewsOfVersion(column.version)}
    </Text>
  )
}

function Problem({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="var(--mantine-color-red-text)" role="alert">
      {children}
    </Text>
  )
}

function TopRows({
  title,
  none,
  rows,
  isLoading,
  results,
}: {
  readonly title: string
  /** In place of rows. */
  readonly none: string
  readonly rows: readonly FigureRow[]
  readonly isLoading: boolean
  readonly results: readonly ColumnResult[]
}) {
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="rowgroup" colSpan={results.length + 1} pt="lg">
          <span style={{ position: 'sticky', insetInlineStart: 10 }}>{title}</span>
        </Table.Th>
      </Table.Tr>
      {rows.map((row) => (
        <Row key={row.key} label={row.label} results={results}>
          {(result, index) => (
            <FigureOf row={row} result={result} base={index === 0 ? undefined : results[0]} />
          )}
        </Row>
      ))}
      {isLoading &&
        LOADING_ROWS.map((key) => (
          <Table.Tr key={key} aria-hidden>
            <Table.Th style={STICKY}>
              <Skeleton height={18} />
            </Table.Th>
            {results.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its position
              <Table.Td key={index}>
                <LoadingFigure />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      {!isLoading && rows.length === 0 && (
        <Table.Tr>
          <Table.Td colSpan={results.length + 1} c="dimmed">
            <span style={{ position: 'sticky', insetInlineStart: 10 }}>{none}</span>
          </Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  )
}

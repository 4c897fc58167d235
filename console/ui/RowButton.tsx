import { Button } from '@mantine/core'

/** A small button of a row; screen readers hear what it is for, since each row has the same. */
export function RowButton({
  verb,
  of,
  destructive = false,
  onClick,
}: {
  readonly verb: string
  /** What it acts on. */
  readonly of: string
  readonly destructive?: boolean
  readonly onClick: () => void
}) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      {...(destructive ? { color: 'red' } : {})}
      onClick={onClick}
      aria-label={`${verb} ${of}`}
    >
      {verb}
    </Button>
  )
}

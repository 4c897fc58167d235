import { Button } from '@mantine/core'

/** A small button in a row; its accessible name includes the row's item, since each row has the same button. */
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

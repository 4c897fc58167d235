import { Button } from '@mantine/core'

/** A small button in a row. Its accessible name includes the row's item, because every row has this button. */
export function RowButton({
  verb,
  of,
  destructive = false,
  onClick,
}: {
  readonly verb: string
  /** The item that the button acts on. */
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

import { Checkbox } from '@mantine/core'
import type { RedirectRule } from '../../src/model/redirects.ts'
import { destinationFormTexts } from '../messages/destinations.tsx'

/** Whether a redirect of the receiver is success. */
export function RedirectField(props: {
  readonly value: RedirectRule
  readonly onChange: (value: RedirectRule) => void
}) {
  return (
    <Checkbox
      label={destinationFormTexts.redirect}
      description={destinationFormTexts.redirectNote}
      checked={props.value === 'accept'}
      onChange={(event) => props.onChange(event.currentTarget.checked ? 'accept' : 'fail')}
    />
  )
}

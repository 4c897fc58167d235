import { Button, Group } from '@mantine/core'
import { useOpenInbox } from '../../data/inbox.ts'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Empty } from '../../ui/States.tsx'

/** Shown to an account without an inbox, with a button that turns it on. */
export function NoInbox() {
  const open = useOpenInbox()
  return (
    <Empty
      title="See events without a receiver"
      action={
        <>
          <FormProblem error={open.error} />
          <Group justify="center" gap="xs">
            <Button loading={open.isPending} onClick={() => open.mutate(null)}>
              Turn on the inbox
            </Button>
            <ButtonLink variant="default" to="/destinations/new">
              Add a webhook
            </ButtonLink>
          </Group>
        </>
      }
    >
      The inbox shows new reviews and rating drops of your apps as the events that a webhook would get. No
      requests are sent.
    </Empty>
  )
}

import { Button, Group } from '@mantine/core'
import { useOpenInbox } from '../../data/inbox.ts'
import { inboxTexts } from '../../messages/start.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Empty } from '../../ui/States.tsx'
import { MayChange } from '../MayChange.tsx'

/** Shown to an account without an inbox, with a button that turns it on. */
export function NoInbox() {
  const open = useOpenInbox()
  return (
    <Empty
      title={inboxTexts.offTitle}
      action={
        <>
          <FormProblem error={open.error} />
          <MayChange>
            <Group justify="center" gap="xs">
              <Button loading={open.isPending} onClick={() => open.mutate(null)}>
                {inboxTexts.turnOn}
              </Button>
              <ButtonLink variant="default" to="/destinations/new">
                {inboxTexts.addWebhook}
              </ButtonLink>
            </Group>
          </MayChange>
        </>
      }
    >
      {inboxTexts.offNote}
    </Empty>
  )
}

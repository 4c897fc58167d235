import { Alert, Button, Group, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertsPage } from '../../src/contract/v1/alerts.ts'
import { alerts } from '../data/alerts.ts'
import { alertTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { AlertRecipients } from './AlertRecipients.tsx'
import { useProblems } from './problems.ts'

const EMAILS_MAX = 10

/** The recipients of alerts, with a test alert. */
export function AlertsForm({ page }: { readonly page: AlertsPage }) {
  const [form, setForm] = useState(page.settings)
  const [secret, setSecret] = useState<string | null>(null)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['alerts'] })
  const save = useMutation({
    mutationFn: () => alerts.save(form),
    onSuccess: async (saved) => {
      if (saved.secret !== null) setSecret(saved.secret)
      notifyDone(form.enabled ? alertTexts.isOn : alertTexts.isOff)
      await refresh()
    },
  })
  const renew = useMutation({
    mutationFn: alerts.newSecret,
    onSuccess: (made) => setSecret(made.secret),
    onError: notifyFailed,
  })
  const test = useMutation({
    mutationFn: alerts.test,
    onSuccess: async () => {
      const isSent =
        page.settings.webhook_url !== null || page.settings.emails.length > page.unconfirmed_emails.length
      notifyDone(isSent ? alertTexts.testSent : alertTexts.askedAgain)
      await refresh()
    },
    onError: notifyFailed,
  })
  const problems = useProblems(save.error, ['enabled', 'emails', 'webhook_url'])
  const hasChannel = page.settings.emails.length > 0 || page.settings.webhook_url !== null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
      noValidate
    >
      <Stack maw={560}>
        <FormProblem error={problems.beside} />
        <Switch
          label={alertTexts.enable}
          checked={form.enabled}
          onChange={(event) => {
            problems.edited('enabled')
            setForm({ ...form, enabled: event.currentTarget.checked })
          }}
          error={problems.at('enabled')}
        />
        <TagsInput
          label={alertTexts.emails}
          description={page.can_email ? alertTexts.emailsNote(EMAILS_MAX) : alertTexts.noMailServer}
          disabled={!page.can_email && form.emails.length === 0}
          maxTags={EMAILS_MAX}
          value={form.emails}
          onChange={(emails) => {
            problems.edited('emails', 'enabled')
            setForm({ ...form, emails })
          }}
          error={problems.at('emails')}
          acceptValueOnBlur
        />
        <AlertRecipients page={page} />
        <TextInput
          label={alertTexts.webhookUrl}
          description={alertTexts.webhookNote}
          type="url"
          value={form.webhook_url ?? ''}
          onChange={(event) => {
            const url = event.currentTarget.value
            problems.edited('webhook_url', 'enabled')
            setForm({ ...form, webhook_url: url === '' ? null : url })
          }}
          error={problems.at('webhook_url')}
        />
        {secret !== null && (
          <Alert color="yellow" icon={<IconKey aria-hidden />} title={commonTexts.copySecret}>
            <Text size="sm" mb="xs">
              {alertTexts.copyNote}
            </Text>
            <CopyValue value={secret} what={commonTexts.signingSecret} />
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending}>
            {alertTexts.submit}
          </Button>
          {hasChannel && (
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {alertTexts.sendTest}
            </Button>
          )}
          {page.settings.webhook_url !== null && (
            <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
              {alertTexts.newSecret}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

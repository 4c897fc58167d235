import { Button, Checkbox, Fieldset, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { LATE_REVIEWS_HOURS, RATE_PER_SECOND } from '../../src/model/hook-limits.ts'
import { hasReceiver } from '../../src/model/inbox.ts'
import { destinations, useDestinationChanged } from '../data/destinations.ts'
import { commonTexts } from '../messages/common.ts'
import { destinationFormTexts } from '../messages/destinations.tsx'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { ZONE } from '../util/locale.ts'
import { DestinationTexts } from './DestinationTexts.tsx'
import { useProblems } from './problems.ts'
import { RedirectField } from './RedirectField.tsx'
import { urlProblem } from './rules.ts'
import { SCHEDULE_PROBLEMS, ScheduleFields } from './target/ScheduleFields.tsx'
import { choiceOf, scheduleOf } from './target/schedule.ts'
import {
  missingFields,
  settingProblemsOf,
  settingsOf,
  type TargetValues,
  valuesOf,
  withoutSecrets,
} from './target/settings.ts'
import { TargetSettings } from './target/TargetSettings.tsx'
import { useProblemFocus } from './use-problem-focus.ts'

/** Name, description, rate limit and, if created in the console, URL or message settings of a destination. */
export function DestinationForm({
  page,
  isReadOnly,
}: {
  readonly page: DestinationPage
  readonly isReadOnly: boolean
}) {
  const [texts, setTexts] = useState({ name: page.name ?? '', description: page.description ?? '' })
  const [targetUrl, setTargetUrl] = useState(page.targetUrl)
  const [rate, setRate] = useState<number | string>(page.ratePerSecond ?? '')
  const [cloudEvents, setCloudEvents] = useState(page.cloudEvents)
  const [redirect, setRedirect] = useState(page.redirect)
  const [lateHours, setLateHours] = useState<number | string>(page.lateReviewsHours)
  const refresh = useDestinationChanged(page.id)
  const [values, setValues] = useState<TargetValues>(valuesOf(page.targetSettings ?? {}))
  const [schedule, setSchedule] = useState(() => choiceOf(page.messageSchedule, ZONE))
  const [submissions, setSubmissions] = useState(0)
  const hasRequests = hasReceiver(page)
  const isWebhook = page.targetType === 'webhook'
  const hasOwnUrl = page.editable && hasRequests && isWebhook
  const hasOwnRequests = hasOwnUrl || (page.editable && page.targetType === 'http')
  const hasOwnSettings = page.editable && !isWebhook
  const save = useMutation({
    mutationFn: () =>
      destinations.change(page.id, {
        ...texts,
        ...(hasOwnUrl && { target_url: targetUrl.trim(), cloudevents: cloudEvents }),
        ...(hasOwnRequests && { redirect }),
        ...(page.editable && { late_reviews_hours: Number(lateHours) }),
        ...(hasOwnSettings && {
          target_settings: settingsOf(page.targetType, values),
          message_schedule: scheduleOf(schedule),
        }),
        ...(hasRequests && { rate_per_second: rate === '' ? null : Number(rate) }),
      }),
    onSuccess: async () => {
      setValues(withoutSecrets(page.targetType, values))
      notifyDone(destinationFormTexts.saved)
      await refresh()
    },
  })
  const problems = useProblems(save.error, [
    'target_url',
    'name',
    'description',
    'rate_per_second',
    ...settingProblemsOf(page.targetType),
    ...SCHEDULE_PROBLEMS,
  ])
  const form = useProblemFocus(submissions, save.error)
  const problem = hasOwnUrl ? urlProblem(targetUrl.trim()) : null
  const missing = hasOwnSettings ? missingFields(page.targetType, values, true) : []
  return (
    <Section title={destinationFormTexts.title}>
      <FormProblem error={problems.beside} />
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          setSubmissions(submissions + 1)
          if (problem === null && missing.length === 0) save.mutate()
        }}
      >
        <Fieldset variant="unstyled" disabled={isReadOnly}>
          <Stack>
            <DestinationTexts
              texts={texts}
              onChange={setTexts}
              problems={problems}
              hasExamples={!isReadOnly}
            />
            {hasOwnSettings && (
              <TargetSettings
                type={page.targetType}
                values={values}
                onChange={setValues}
                problems={problems}
                missing={submissions > 0 ? missing : []}
                keepsSecrets
                hasExamples={!isReadOnly}
              />
            )}
            {hasOwnSettings && (
              <ScheduleFields choice={schedule} onChange={setSchedule} problems={problems} />
            )}
            {hasRequests && (
              <Group align="flex-start">
                {hasOwnUrl && (
                  <TextInput
                    label={destinationFormTexts.url}
                    value={targetUrl}
                    onChange={(event) => {
                      problems.edited('target_url')
                      setTargetUrl(event.currentTarget.value)
                    }}
                    error={problem ?? problems.at('target_url')}
                    style={{ flex: '1 1 320px' }}
                  />
                )}
                <NumberInput
                  label={
                    isWebhook
                      ? destinationFormTexts.requestsPerSecond
                      : destinationFormTexts.messagesPerSecond
                  }
                  placeholder={destinationFormTexts.noLimit}
                  {...RATE_PER_SECOND}
                  value={rate}
                  onChange={(value) => {
                    problems.edited('rate_per_second')
                    setRate(value)
                  }}
                  error={problems.at('rate_per_second')}
                  w={220}
                />
              </Group>
            )}
            {hasOwnUrl && (
              <Checkbox
                label={destinationFormTexts.cloudEvents}
                description={destinationFormTexts.cloudEventsNote}
                checked={cloudEvents}
                onChange={(event) => setCloudEvents(event.currentTarget.checked)}
              />
            )}
            {hasOwnRequests && <RedirectField value={redirect} onChange={setRedirect} />}
            {page.editable && (
              <NumberInput
                label={destinationFormTexts.lateReviews}
                description={destinationFormTexts.lateReviewsNote}
                {...LATE_REVIEWS_HOURS}
                value={lateHours}
                onChange={setLateHours}
              />
            )}
            {!isReadOnly && (
              <div>
                <Button type="submit" loading={save.isPending}>
                  {commonTexts.save}
                </Button>
              </div>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}

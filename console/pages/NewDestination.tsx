import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type RedirectRule, redirectsAfterWork } from '../../src/model/redirects.ts'
import type { TargetType } from '../../src/model/target.ts'
import { MayChange, MembersOnly } from '../components/MayChange.tsx'
import { NewSecret } from '../components/NewSecret.tsx'
import { DroppedFilters } from '../components/review-filters/DroppedFilters.tsx'
import { MessagePreview } from '../components/target/MessagePreview.tsx'
import { destinations } from '../data/destinations.ts'
import type { ReviewSearch } from '../data/search.ts'
import { DestinationTexts } from '../forms/DestinationTexts.tsx'
import { useProblems } from '../forms/problems.ts'
import { RedirectField } from '../forms/RedirectField.tsx'
import { urlProblem } from '../forms/rules.ts'
import { SubscriptionFields } from '../forms/SubscriptionFields.tsx'
import { bodyOf, NEW_SUBSCRIPTION, SUBSCRIPTION_FIELDS, type Subscription } from '../forms/subscription.ts'
import { missingFields, settingProblemsOf, settingsOf, type TargetValues } from '../forms/target/settings.ts'
import { TargetSettings } from '../forms/target/TargetSettings.tsx'
import { TargetTypePicker } from '../forms/target/TargetTypePicker.tsx'
import { useProblemFocus } from '../forms/use-problem-focus.ts'
import { subscriptionOfView } from '../forms/view-subscription.ts'
import { commonTexts } from '../messages/common.ts'
import { destinationFormTexts, destinationTexts } from '../messages/destinations.tsx'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

const FIELDS = ['target_url', 'target_type', 'name', 'description', ...SUBSCRIPTION_FIELDS] as const

/** The filters of a view of the feed, which the page may be opened with. */
function viewOf(search: ReviewSearch) {
  return Object.values(search).some((value) => value !== undefined)
    ? { ...subscriptionOfView(search), view: search }
    : null
}

/** Creates a destination with its first subscription. A webhook shows its signing secret; the others open their page, for a test. */
export function NewDestination() {
  const [type, setType] = useState<TargetType>('webhook')
  const [targetUrl, setTargetUrl] = useState('')
  const [redirect, setRedirect] = useState<RedirectRule | null>(null)
  const [values, setValues] = useState<TargetValues>({})
  const [texts, setTexts] = useState({ name: '', description: '' })
  const [touched, setTouched] = useState(false)
  const [submissions, setSubmissions] = useState(0)
  const [fromView] = useState(useSearch({ from: '/signed-in/destinations/new', select: viewOf }))
  const [subscription, setSubscription] = useState<Subscription>(fromView?.subscription ?? NEW_SUBSCRIPTION)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const offersRedirect = redirectsAfterWork(targetUrl.trim())
  const create = useMutation({
    mutationFn: () => {
      const target =
        type === 'webhook'
          ? { target_url: targetUrl.trim(), ...(offersRedirect && { redirect: redirect ?? 'accept' }) }
          : { target_type: type, target_settings: settingsOf(type, values) }
      return destinations.create({ ...target, ...texts, ...bodyOf(subscription) })
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['destinations'] })
      if (type === 'webhook') return
      await navigate({ to: '/destinations/$id', params: { id } })
      notifyDone(destinationTexts.addedNote)
    },
  })
  const problems = useProblems(create.error, [...FIELDS, ...settingProblemsOf(type)])
  const form = useProblemFocus(submissions, create.error)
  if (create.data !== undefined && type === 'webhook') {
    return (
      <>
        <PageHeader title={destinationTexts.added} />
        <NewSecret secret={create.data.secret} destinationId={create.data.id} />
      </>
    )
  }
  const problem = type === 'webhook' ? urlProblem(targetUrl.trim()) : null
  const missing = missingFields(type, values, false)
  const change = (next: TargetType) => {
    setType(next)
    setValues({})
    setSubmissions(0)
    setTouched(false)
    create.reset()
  }
  return (
    <>
      <PageHeader title={destinationTexts.add} about={destinationTexts.addAbout} />
      <MayChange
        otherwise={
          <MembersOnly
            title={destinationTexts.viewerTitle}
            action={
              <ButtonLink to="/destinations" variant="light">
                {destinationTexts.back}
              </ButtonLink>
            }
          />
        }
      >
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTouched(true)
            setSubmissions(submissions + 1)
            if (problem === null && missing.length === 0) create.mutate()
          }}
        >
          <Stack maw={720}>
            <FormProblem error={problems.beside} />
            <DroppedFilters view={fromView?.view ?? {}} parameters={fromView?.dropped ?? []} />
            <Card withBorder>
              <TargetTypePicker value={type} onChange={change} error={problems.at('target_type')} />
            </Card>
            <Card withBorder>
              <Stack>
                {type === 'webhook' ? (
                  <TextInput
                    label={destinationFormTexts.url}
                    description={destinationTexts.urlNote}
                    placeholder="https://example.com/radar"
                    withAsterisk
                    type="url"
                    value={targetUrl}
                    onChange={(event) => {
                      problems.edited('target_url')
                      setTargetUrl(event.currentTarget.value)
                    }}
                    onBlur={() => setTouched(targetUrl !== '')}
                    error={touched ? (problem ?? problems.at('target_url')) : null}
                  />
                ) : (
                  <TargetSettings
                    type={type}
                    values={values}
                    onChange={setValues}
                    problems={problems}
                    missing={submissions > 0 ? missing : []}
                  />
                )}
                {type === 'webhook' && offersRedirect && (
                  <RedirectField value={redirect ?? 'accept'} onChange={setRedirect} />
                )}
                <DestinationTexts texts={texts} onChange={setTexts} problems={problems} />
              </Stack>
            </Card>
            {type !== 'webhook' && (
              <Card withBorder>
                <MessagePreview key={type} type={type} eventType={subscription.event_type} values={values} />
              </Card>
            )}
            <Card withBorder>
              <SubscriptionFields
                subscription={subscription}
                onChange={setSubscription}
                error={create.error}
              />
            </Card>
            <Text size="sm" c="dimmed">
              {destinationTexts.appMissing(
                <AnchorLink to="/apps/add" size="sm" underline="always">
                  {destinationTexts.addAppFirst}
                </AnchorLink>,
              )}
            </Text>
            <Group>
              <Button type="submit" loading={create.isPending}>
                {destinationTexts.submit}
              </Button>
              <ButtonLink variant="default" to="/destinations">
                {commonTexts.cancel}
              </ButtonLink>
            </Group>
          </Stack>
        </form>
      </MayChange>
    </>
  )
}

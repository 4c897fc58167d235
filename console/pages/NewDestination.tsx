import { Anchor, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { WatchBody } from '../../src/contract/console/destinations.ts'
import { SecretOnce } from '../components/SecretOnce.tsx'
import { destinations } from '../data/destinations.ts'
import { urlProblem } from '../forms/rules.ts'
import { NEW_WATCH, WatchFields } from '../forms/WatchFields.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { paths } from '../util/paths.ts'

/** An address, and the first watch that points at it. */
export function NewDestination() {
  const [targetUrl, setTargetUrl] = useState('')
  const [touched, setTouched] = useState(false)
  const [watch, setWatch] = useState<WatchBody>(NEW_WATCH)
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: () => destinations.create({ targetUrl: targetUrl.trim(), watch }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['destinations'] }),
  })
  if (create.data !== undefined) {
    return (
      <>
        <PageHeader title="The destination is ready" />
        <SecretOnce secret={create.data.secret} destinationId={create.data.id} />
      </>
    )
  }
  const problem = urlProblem(targetUrl.trim())
  return (
    <>
      <PageHeader
        title="Add a destination"
        about="An address of yours that gets a signed request for each event"
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTouched(true)
          if (problem === null) create.mutate()
        }}
      >
        <Stack maw={720}>
          <FormProblem error={create.error} />
          <Card withBorder>
            <TextInput
              label="Address"
              description="Gets a POST with JSON for every event"
              placeholder="https://example.com/radar"
              withAsterisk
              type="url"
              value={targetUrl}
              onChange={(event) => setTargetUrl(event.currentTarget.value)}
              onBlur={() => setTouched(targetUrl !== '')}
              error={touched ? problem : null}
            />
          </Card>
          <Card withBorder>
            <WatchFields watch={watch} onChange={setWatch} />
          </Card>
          <Text size="sm" c="dimmed">
            The app is not in the list?{' '}
            <Anchor component={Link} to={paths.addApp()} size="sm" underline="always">
              Add it
            </Anchor>{' '}
            first.
          </Text>
          <Group>
            <Button type="submit" loading={create.isPending}>
              Add the destination
            </Button>
            <Button variant="default" component={Link} to={paths.destinations()}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  )
}

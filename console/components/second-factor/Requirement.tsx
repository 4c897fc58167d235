import { Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { secondFactor, secondFactorQuery } from '../../data/second-factor.ts'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'

/** The owner's rule that all members need a second factor. */
export function Requirement() {
  const { data } = useQuery(secondFactorQuery)
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: secondFactor.require,
    onSuccess: (_, required) =>
      notifyDone(required ? 'Members now need a second factor.' : 'The second factor is optional now.'),
    onError: notifyFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  })
  if (data === undefined) return null
  const canRequire = data.isOn || data.isRequired || !data.hasPassword
  return (
    <Switch
      mt="md"
      label="Require a second factor"
      description={
        canRequire
          ? 'Members without one can only turn it on. API tokens are not affected.'
          : 'Turn on your own second factor first.'
      }
      checked={data.isRequired}
      disabled={change.isPending || !canRequire}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}

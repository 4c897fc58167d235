import { Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { secondFactor, secondFactorQuery } from '../../data/second-factor.ts'
import { secondFactorTexts } from '../../messages/second-factor.tsx'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'

/** The owner's rule that all members need a second factor. */
export function Requirement() {
  const { data } = useQuery(secondFactorQuery)
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: secondFactor.require,
    onSuccess: (_, required) =>
      notifyDone(required ? secondFactorTexts.nowRequired : secondFactorTexts.nowOptional),
    onError: notifyFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  })
  if (data === undefined) return null
  const canRequire = data.isOn || data.isRequired || !data.hasPassword
  return (
    <Switch
      mt="md"
      label={secondFactorTexts.require}
      description={canRequire ? secondFactorTexts.requireNote : secondFactorTexts.requireFirst}
      checked={data.isRequired}
      disabled={change.isPending || !canRequire}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}

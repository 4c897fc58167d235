import { sampleEvent } from '../../contract/sample.ts'
import type { Operations } from '../operation.ts'

export function sampleOperation(): Pick<Operations, 'sample'> {
  return {
    async sample({ query }) {
      return [sampleEvent(query.event_type ?? 'review.created')]
    },
  }
}

import assert from 'node:assert/strict'
import type { Client } from '../../packages/client/src/index.ts'

/** Calls each method about several answers, of an account whose review cannot be answered. */
export async function useBulkReplies(
  radar: Client,
  templateId: string,
  { fingerprint, author }: { readonly fingerprint: string; readonly author: string | null },
): Promise<void> {
  const asked = { template_id: templateId, fingerprints: [fingerprint] }
  const [preview] = await radar.previewReplies(asked)
  assert.deepEqual([preview?.text, preview?.problem === null], [`Thanks, ${author}!`, false])
  const sent = await radar.replyToMany(asked)
  assert.deepEqual([sent.changed, sent.failed.length], [0, 1])
  await assert.rejects(radar.getReplyBatch(sent.batch_id), { status: 404 })
  await assert.rejects(radar.undoReplyBatch(sent.batch_id), { status: 404 })
  await assert.rejects(radar.undoReply(fingerprint), { status: 409 })
  assert.deepEqual(await radar.listReviewsToAnswer({ limit: 5 }), [])
  assert.deepEqual(await radar.countReviewsToAnswer(), { count: 0, more: false })
}

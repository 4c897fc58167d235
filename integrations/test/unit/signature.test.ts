import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../support/files.ts'
import { n8nSignature, pipedreamSource, zapierSignature } from '../support/modules.ts'

/** Each package verifies signatures itself, because it is installed alone. All must agree with the vectors for receivers. */

type Vector = {
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
const { now, secrets, vectors } = readJson<{
  readonly now: number
  readonly secrets: readonly string[]
  readonly vectors: readonly Vector[]
}>('../examples/receivers/vectors.json')

type Verify = (vector: Vector, secret: string, nowMs: number) => boolean
const VERIFIERS: Readonly<Record<string, Verify>> = {
  n8n: ({ headers, body }, secret, nowMs) =>
    n8nSignature.signatureProblem({ headers, body: Buffer.from(body) }, [secret], nowMs) === null,
  Zapier: ({ headers, body }, secret, nowMs) => {
    const named = Object.entries(headers).map(([name, value]) => [`Http-${name}`, value])
    return zapierSignature.isSigned({ headers: Object.fromEntries(named), content: body }, secret, nowMs)
  },
  Pipedream: ({ headers, body }, secret, nowMs) =>
    pipedreamSource.methods.isSigned?.({ headers, bodyRaw: body }, secret, nowMs) === true,
}

for (const [platform, isSigned] of Object.entries(VERIFIERS))
  test(`${platform} accepts exactly the signed requests of the vectors`, () => {
    assert.ok(vectors.length > 10)
    for (const vector of vectors) {
      const isAccepted = secrets.some((secret) => isSigned(vector, secret, now * 1000))
      assert.equal(isAccepted, vector.status === 204, vector.name)
    }
  })

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rpcAnswer } from '../../../simulate/google/wire.ts'
import { readRpcAnswer, rpcBody } from './batchexecute.ts'

test('a call is one form field with the rpc id and its request as JSON text', () => {
  const body = new URLSearchParams(rpcBody('UsvDTd', [null, ['a.b', 7]]))
  assert.deepEqual([...body.keys()], ['f.req'])
  assert.deepEqual(JSON.parse(body.get('f.req') ?? ''), [[['UsvDTd', '[null,["a.b",7]]', null, 'generic']]])
})

test('a payload is found with and without a line break after the prefix', () => {
  const text = `[["wrb.fr","UsvDTd","[1]",null,null,null,"generic"],["di",1]]`
  for (const between of ['', '\n', '\n\n', '\r\n']) {
    assert.deepEqual(readRpcAnswer(`)]}'${between}${text}`, 'UsvDTd'), { kind: 'payload', payload: [1] })
  }
})

test('a payload is found in chunks, even with wrong lengths', () => {
  const payload = ['Größe 😀 [{"', ")]}'"]
  assert.deepEqual(readRpcAnswer(rpcAnswer('X', payload, { chunked: true }), 'X'), {
    kind: 'payload',
    payload,
  })
  const wrongLength = `)]}'\n\n7\n[["wrb.fr","X","[2]"]]\n9999\n[["di",1]]`
  assert.deepEqual(readRpcAnswer(wrongLength, 'X'), { kind: 'payload', payload: [2] })
})

test('a null payload is read with the text of its error slot', () => {
  const gateway = [5, null, [['type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError', [1]]]]
  assert.deepEqual(readRpcAnswer(rpcAnswer('X', null), 'X'), { kind: 'null', error: null })
  const failed = readRpcAnswer(rpcAnswer('X', null, { error: gateway }), 'X')
  assert.equal(failed.kind, 'null')
  assert.match(failed.kind === 'null' ? (failed.error ?? '') : '', /PlayGatewayError/)
  assert.equal(readRpcAnswer(`)]}'\n[["wrb.fr","X","null"]]`, 'X').kind, 'null')
  assert.equal(readRpcAnswer(`)]}'\n[["er",null,null,null,null,400,null,null,null,3]]`, 'X').kind, 'null')
})

test('an answer without the frame of the rpc is unreadable', () => {
  for (const text of [
    '',
    '<!doctype html>',
    `)]}'`,
    `)]}'\n{"a":1}`,
    `)]}'\n[["wrb.fr","Other","[1]"]]`,
    `)]}'\n[["wrb.fr","X","[1"]]`,
    `)]}'\n[["wrb.fr","X",7]]`,
    `)]}'\n12\n[["wrb.fr","X","[1]"]`,
  ]) {
    assert.equal(readRpcAnswer(text, 'X').kind, 'unreadable', text)
  }
})

test('any payload is read unchanged, whole or in chunks', () => {
  const payloads = fc.array(fc.jsonValue(), { minLength: 1 })
  fc.assert(
    fc.property(payloads, fc.boolean(), (payload, chunked) => {
      const sent = JSON.parse(JSON.stringify(payload))
      assert.deepEqual(readRpcAnswer(rpcAnswer('X', payload, { chunked }), 'X'), {
        kind: 'payload',
        payload: sent,
      })
    }),
  )
})

test('the reader never throws', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string().map((text) => `)]}'\n${text}`),
    fc.json().map((text) => `)]}'\n${text}`),
    fc.tuple(fc.nat(), fc.json()).map(([length, text]) => `)]}'\n\n${length}\n${text}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      readRpcAnswer(text, 'X')
    }),
  )
})

test('a frame that is nested more deeply than any real one is unreadable', () => {
  const deep = `)]}'\n\n4000\n${'['.repeat(2_000)}${']'.repeat(2_000)}\n`
  const reason = 'the frames of the answer are not JSON'
  assert.deepEqual(readRpcAnswer(deep, 'oCPfdb'), { kind: 'unreadable', reason })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsOf } from './details.ts'

const details = (text: string, own = '') => detailsOf(text, (name) => name === own)

test('finds devices, versions, amounts and services as written', () => {
  assert.deepEqual(details('Pixel 8 Pro, Android 14, app 3.2.1: 20 € weg, Google Fit geht nicht'), {
    devices: ['Pixel 8 Pro'],
    versions: ['Android 14', '3.2.1'],
    amounts: ['20 €'],
    names: ['Google Fit'],
  })
})

test('does not mistake a date for a version', () => {
  assert.deepEqual(details('Stand 21.4.20, davor 02.11.2021').versions, [])
  assert.deepEqual(details('since 10.2.0 and 4.13.1.22').versions, ['10.2.0', '4.13.1.22'])
})

test('leaves out the name of the app itself', () => {
  assert.deepEqual(details('paytm hangs on wifi', 'paytm').names, ['wifi'])
})

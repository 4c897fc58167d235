import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsOf } from './details.ts'

const details = (text: string, own = '') => detailsOf(text, (name) => name === own)

test('the list of details finds devices, versions, amounts and services as written', () => {
  assert.deepEqual(details('Pixel 8 Pro, Android 14, app 3.2.1: 20 € weg, Google Fit geht nicht'), {
    devices: ['Pixel 8 Pro'],
    versions: ['Android 14', '3.2.1'],
    amounts: ['20 €'],
    names: ['Google Fit'],
  })
})

test('the list of details does not mistake a date for a version', () => {
  assert.deepEqual(details('Stand 21.4.20, davor 02.11.2021').versions, [])
  assert.deepEqual(details('since 10.2.0 and 4.13.1.22').versions, ['10.2.0', '4.13.1.22'])
})

test('the list of details leaves out the name of the app itself', () => {
  assert.deepEqual(details('paytm hangs on wifi', 'paytm').names, ['wifi'])
})

test('the list of details names a device once, with maker and model', () => {
  const devicesIn = (text: string) => details(text).devices
  assert.deepEqual(devicesIn('Samsung fehlt: Samsung Galaxy Watch 4'), ['Samsung Galaxy Watch 4'])
  assert.deepEqual(devicesIn('una Samsung Gear e un iPad'), ['Samsung Gear', 'iPad'])
})

test('the list of details does not mistake an ordinary word for a maker', () => {
  assert.deepEqual(details('serve a poco, ho una moto e dal vivo va bene').devices, [])
  assert.deepEqual(details('su Poco X3 e Moto G8 si chiude').devices, ['Poco X3', 'Moto G8'])
})

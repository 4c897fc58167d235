import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { appTextOf } from './app-text.ts'

const apple = (appId: string) => ({ kind: 'app', store: 'apple', appId, sure: true })
const google = (appId: string, sure = true) => ({ kind: 'app', store: 'google', appId, sure })

describe('the text of an app search', () => {
  it('the text of an app search is a link of a store, with or without https://', () => {
    for (const link of [
      'https://apps.apple.com/us/app/foo-bar/id123456789',
      'https://apps.apple.com/de/app/id123456789?l=en#x',
      'apps.apple.com/app/foo/id123456789/',
      'http://itunes.apple.com/lookup/id123456789',
      '  https://apps.apple.com/us/app/f%C3%BC/id123456789?mt=8  ',
    ]) {
      assert.deepEqual(appTextOf(link), apple('123456789'), link)
    }
    for (const link of [
      'https://play.google.com/store/apps/details?id=com.example.app&hl=de&gl=DE',
      'play.google.com/store/apps/details?hl=de&id=com.example.app',
      'market.android.com/details?id=com.example.app',
    ]) {
      assert.deepEqual(appTextOf(link), google('com.example.app'), link)
    }
  })

  it('the text of an app search is an id or a package name', () => {
    assert.deepEqual(appTextOf('1234567890'), apple('1234567890'))
    assert.deepEqual(appTextOf('id1234567890'), apple('1234567890'))
    assert.deepEqual(appTextOf('com.Example.app_1'), google('com.Example.app_1', false))
  })

  it('the text of an app search is a search phrase otherwise, even if it is a link to another page', () => {
    for (const words of [
      'Foo Bar',
      '2048',
      'booking. com',
      'https://play.google.com/store/apps/details?id=../x',
      'https://play.google.com/store/apps/details',
      'https://apps.apple.com/us/developer/x',
      'https://evil.example/id123456789',
      'https://apps.apple.com.evil.example/app/id123456789',
      'アプリ',
      "'; drop table apps",
    ]) {
      assert.deepEqual(appTextOf(words), { kind: 'words' }, words)
    }
  })
})

import { availableParallelism } from 'node:os'
import { STORES } from '../model/vocabulary.ts'
import { createApple } from '../pipeline/appstores/apple/apple.ts'
import type { AppStore } from '../pipeline/appstores/appstore.ts'
import { createAppStoreConnect } from '../pipeline/appstores/appstoreconnect/appstoreconnect.ts'
import { createGoogle } from '../pipeline/appstores/google/google.ts'
import { createGooglePlayDeveloper } from '../pipeline/appstores/googleplay-developer/googleplay-developer.ts'
import type { OfficialStore } from '../pipeline/appstores/official.ts'
import { createStoreWithoutPublicSources } from '../pipeline/appstores/public-sources-off.ts'
import { POLL_SETTINGS } from '../pipeline/collect/schedule.ts'
import { FLOW_ROLES, type FlowSettings } from '../pipeline/flow.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import { createGuard } from '../runtime/egress/guard.ts'
import { openEgress } from '../runtime/egress/open.ts'
import { openEgressThread } from '../runtime/egress/thread/open.ts'
import type { Log } from '../runtime/log.ts'
import { createMailer, type Mailer } from '../runtime/mailer.ts'
import { readText } from '../runtime/read-text.ts'
import type { Config } from './config/config.ts'

/** The thread of requests signs them, since the main thread is the limit of deliveries on SQLite. */
const SIGNATURE_MODULE = new URL('../model/signature.ts', import.meta.url).href

/** Platform names that are always accepted (docs/contract.md, Hooks). */
const NAMELESS_PLATFORMS = ['platform_1', 'platform_2', 'platform_3']

/** The clients of both stores, in the order in which they are polled. */
export function openAppStores(config: Config, egress: Egress, log: Log): AppStore[] {
  if (config.stores.publicSources === 'off') return STORES.map(createStoreWithoutPublicSources)
  const { appleItunesUrl, appleWebUrl, googlePlayUrl, addedFormats } = config.stores
  const { apple, google } = addedFormats ?? {}
  return [
    createApple({ egress, itunesUrl: appleItunesUrl, webUrl: appleWebUrl, log, added: apple }),
    createGoogle({ egress, playUrl: googlePlayUrl, added: google }),
  ]
}

/** The clients of the stores' official APIs, for apps that an account connected. */
export function openOfficialStores(config: Config, egress: Egress, clock: Clock): OfficialStore[] {
  const { appStoreConnectUrl, googlePlayDeveloperUrl, googleOauthUrl, googleStorageUrl } = config.stores
  return [
    createAppStoreConnect({
      egress,
      clock,
      baseUrl: appStoreConnectUrl,
      replyCharsMax: config.stores.appStoreReplyCharsMax,
    }),
    createGooglePlayDeveloper({
      egress,
      clock,
      baseUrl: googlePlayDeveloperUrl,
      oauthUrl: googleOauthUrl,
      storageUrl: googleStorageUrl,
      repliesPerDayMax: config.stores.googlePlayRepliesPerDay,
    }),
  ]
}

/** The guarded egress for targets, in a separate thread on machines with more than one processor. */
export function openTargetEgress(
  { caFile, delivery, outboundProxy: proxy, outboundProxyNames: proxyNames }: Config,
  userAgent: string,
  log: Log,
): Egress {
  const { allowTargetCidrs: allowCidrs } = delivery
  if (availableParallelism() > 1)
    return openEgressThread(
      {
        allowCidrs,
        userAgent,
        proxy,
        proxyNames,
        signatureModule: SIGNATURE_MODULE,
        authorities: caFile && readText(caFile),
      },
      log,
    )
  return openEgress({ guard: createGuard({ allowCidrs }), userAgent, proxy, proxyNames })
}

/** The values of `source` that subscribe accepts, starting with `api`. */
export function sourcesOf(config: Pick<Config, 'automationPlatforms'>): string[] {
  return [...new Set(['api', ...config.automationPlatforms, ...NAMELESS_PLATFORMS])]
}

export function flowSettings(config: Config): FlowSettings {
  const { stores, delivery } = config
  return {
    roles: new Set(FLOW_ROLES.filter((role) => config.roles.has(role))),
    poll: {
      reviews: { ...POLL_SETTINGS.reviews, fixedIntervalMs: stores.reviewsPollIntervalMs },
      rating: { ...POLL_SETTINGS.rating, fixedIntervalMs: stores.ratingsPollIntervalMs },
    },
    requestsPerMinute: stores.requestsPerMinute,
    referenceApps: stores.publicSources === 'off' ? new Map() : stores.referenceApps,
    officialIntervalMs: stores.officialPollIntervalMs,
    waitsMs: delivery.retryWaitsMs,
    timeoutMs: delivery.timeoutMs,
    slots: {
      total: delivery.concurrencyMax,
      perHook: Math.min(delivery.perHookMax, delivery.concurrencyMax),
      perHost: Math.min(delivery.perHostMax, delivery.concurrencyMax),
    },
    platforms: new Set([...config.automationPlatforms, ...NAMELESS_PLATFORMS]),
    retentionMs: config.retentionMs,
  }
}

/** The mailer of the configured server; null without one. */
export function mailerOf({ smtp: { url, from }, publicUrl }: Config): Mailer | null {
  return url === null || from === null ? null : createMailer(url, from, { publicUrl })
}

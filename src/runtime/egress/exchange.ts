import type { Dispatcher } from 'undici'
import type { Wire } from './connect.ts'
import {
  type EgressAnswer,
  type EgressFailure,
  type EgressRequest,
  type EgressTimings,
  violatesHttp,
} from './egress.ts'
import { type Failure, isDropped, requestFailure } from './failure.ts'
import { gunzip } from './inflate.ts'

/** Sends an exchange on a connection; `fresh` requires a new one. Throws when the request is invalid. */
export type Send = (exchange: Exchange, fresh: boolean) => void

const NO_BODY = Buffer.alloc(0)

/**
 * One request and its answer. It is a class because undici calls these methods about eight times per request on the
 * hottest path of the service. States: waiting for a connection (`controller` null), sent, answering (`status` set),
 * ended (`resolve` null). Events after the end are ignored. The connection of an exchange that ends early is destroyed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly request: EgressRequest
  readonly url: URL
  /** Set by the connection before it sends this exchange. */
  wire: Wire | null = null
  openedBefore = 0

  private resolve: ((answer: EgressAnswer) => void) | null
  private readonly send: Send
  private readonly waiting: Set<Exchange> | null
  private readonly timer: NodeJS.Timeout
  private readonly startedAt = performance.now()
  private sentAt = 0
  private reused = false
  private reconnected = false
  private controller: Dispatcher.DispatchController | null = null
  private status: number | null = null
  private headers: Record<string, string> = {}
  private body: Buffer = NO_BODY
  private bodyBytes = 0

  /** `waiting` contains the open exchanges of one signal. */
  constructor(
    request: EgressRequest,
    url: URL,
    send: Send,
    waiting: Set<Exchange> | null,
    resolve: (answer: EgressAnswer) => void,
  ) {
    this.request = request
    this.url = url
    this.send = send
    this.waiting = waiting
    this.resolve = resolve
    this.timer = setTimeout(expire, request.timeoutMs, this)
    waiting?.add(this)
  }

  start(): void {
    this.dispatch(false)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.resolve === null) {
      controller.abort(abandoned)
      return
    }
    this.controller = controller
    this.reused = this.wire !== null && this.wire.opened === this.openedBefore
    this.wire?.heads?.expect()
    this.sentAt = performance.now()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status
    this.headers = joined(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.resolve === null) return
    const room = this.request.bodyBytesMax - this.bodyBytes
    if (chunk.length <= room) {
      this.appendBody(chunk)
      return
    }
    this.appendBody(chunk.subarray(0, room))
    this.releaseConnection()
    this.answer(true)
  }

  onResponseEnd(): void {
    // The connection may belong to another exchange now, so it must not be aborted.
    this.controller = null
    this.answer(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.controller = null
    if (this.resolve === null || error === abandoned) return
    if (this.reused && !this.reconnected && this.firstByteAt() === null && isDropped(error)) this.repeat()
    else this.end(requestFailure(error))
  }

  /** Ends the exchange at once, in any state. */
  abort(reason: EgressFailure, detail: string): void {
    if (this.resolve !== null) this.end({ reason, detail })
  }

  /** Handles the timeout. The reason names the unfinished phase. */
  expire(): void {
    const ms = this.request.timeoutMs
    if (this.sentAt === 0) this.abort('timeout_connect', `After ${ms} ms there was no connection.`)
    else if (this.status === null) this.abort('timeout_headers', `After ${ms} ms there was no response.`)
    else this.abort('timeout_total', `After ${ms} ms the response body was incomplete.`)
  }

  /**
   * Repeats the request once on a new connection, within the same timeout. The receiver closed a keep-alive connection
   * during the request, before the first byte of an answer: the usual race of keep-alive connections.
   */
  private repeat(): void {
    this.reconnected = true
    this.reused = false
    this.sentAt = 0
    this.dispatch(true)
  }

  private dispatch(fresh: boolean): void {
    try {
      this.send(this, fresh)
    } catch (error) {
      this.end(requestFailure(error))
    }
  }

  private appendBody(chunk: Buffer): void {
    const bytes = this.bodyBytes + chunk.length
    if (this.bodyBytes === 0) {
      this.body = chunk
    } else {
      // Copied into one buffer, so that a body in tiny chunks does not create an object for each.
      if (bytes > this.body.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(this.request.bodyBytesMax, Math.max(bytes * 2, 4096)))
        this.body.copy(larger, 0, 0, this.bodyBytes)
        this.body = larger
      }
      chunk.copy(this.body, this.bodyBytes)
    }
    this.bodyBytes = bytes
  }

  private answer(truncated: boolean): void {
    const body = this.body.subarray(0, this.bodyBytes)
    const encoding = this.request.gunzip ? (this.headers['content-encoding']?.toLowerCase() ?? '') : ''
    if (body.length === 0 || encoding === '' || encoding === 'identity') {
      this.settle(body, truncated)
    } else if (encoding === 'gzip' || encoding === 'x-gzip') {
      this.inflate(body, truncated)
    } else {
      this.end({
        reason: 'invalid_response',
        detail: `The body has an encoding that was not requested: ${encoding}.`,
      })
    }
  }

  private async inflate(body: Buffer, truncated: boolean): Promise<void> {
    const inflated = await gunzip(body, truncated, this.request.bodyBytesMax)
    if (this.resolve === null) return
    if (inflated) this.settle(inflated.body, inflated.truncated)
    else this.end({ reason: 'invalid_response', detail: 'The body is not valid gzip.' })
  }

  private settle(body: Buffer, truncated: boolean): void {
    const resolve = this.close()
    resolve?.({
      kind: 'answered',
      status: this.status ?? 0,
      headers: this.headers,
      body,
      truncated,
      remoteAddress: this.wire?.phases.remoteAddress ?? null,
      timings: this.timings(),
      reconnected: this.reconnected,
    })
  }

  private end(failure: Failure): void {
    const resolve = this.close()
    resolve?.({
      kind: 'failed',
      reason: failure.reason,
      detail: failure.detail,
      remoteAddress: this.wire?.phases.remoteAddress ?? null,
      timings: this.timings(),
      status: this.status ?? (violatesHttp(failure.reason) ? (this.wire?.heads?.status ?? null) : null),
      reconnected: this.reconnected,
    })
  }

  private close(): ((answer: EgressAnswer) => void) | null {
    const resolve = this.resolve
    this.resolve = null
    clearTimeout(this.timer)
    this.waiting?.delete(this)
    this.releaseConnection()
    return resolve
  }

  /** Closes the connection of an unfinished answer, or cancels the connection attempt for this exchange. */
  private releaseConnection(): void {
    const controller = this.controller
    this.controller = null
    if (controller !== null) controller.abort(abandoned)
    else if (this.sentAt === 0) this.wire?.cancel?.()
  }

  /** Null before the request was sent: the connection may still have the time of an earlier answer. */
  private firstByteAt(): number | null {
    return this.sentAt === 0 ? null : (this.wire?.heads?.firstByteAt ?? null)
  }

  private timings(): EgressTimings {
    const firstByteAt = this.firstByteAt()
    const dialled = this.reused ? null : (this.wire?.phases ?? null)
    return {
      dnsMs: tenths(dialled?.dnsMs),
      connectMs: tenths(dialled?.connectMs),
      tlsMs: tenths(dialled?.tlsMs),
      firstByteMs: firstByteAt === null ? null : tenths(firstByteAt - this.sentAt),
      totalMs: tenths(performance.now() - this.startedAt) ?? 0,
    }
  }
}

/** The reason of this module's own aborts, to distinguish them from failures. */
const abandoned = new Error('The exchange is over.')

function expire(exchange: Exchange): void {
  exchange.expire()
}

/** Rounded to a tenth of a millisecond. */
function tenths(ms: number | null | undefined): number | null {
  return ms == null ? null : Math.round(ms * 10) / 10
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string>
}

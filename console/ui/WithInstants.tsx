import { Instant } from './Instant.tsx'

const ISO_INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/

/** A sentence of the service, with times in the viewer's time zone. */
export function WithInstants({ text }: { readonly text: string }) {
  return text.split(ISO_INSTANT).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their position
    index % 2 === 0 ? part : <Instant key={index} at={part} as="clock" />,
  )
}

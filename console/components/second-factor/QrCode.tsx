import encodeQR from 'qr'

/** The width of the light frame that QR readers need. */
const QUIET_MODULES = 4
const SIZE_PX = 208

/** A QR code, drawn in the browser because its text is secret. It is dark on light in every colour scheme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQR(text, 'raw', { border: QUIET_MODULES })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width={SIZE_PX}
      height={SIZE_PX}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 8 }}
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

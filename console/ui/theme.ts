import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { commonTexts } from '../messages/common.ts'

const CLOSE = { 'aria-label': commonTexts.close } as const
/** A `header` element in a dialog would be a second banner landmark. */
const NO_BANNER = { component: 'div' } as const

/** Colours have a contrast of 4.5:1 in both schemes. `autoContrast` picks the text colour of filled controls. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK JP", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  components: {
    DrawerHeader: { defaultProps: NO_BANNER },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    // In a portal its label is outside all landmarks, and a menu must not contain a focusable element that is no item.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: CLOSE } },
    ModalHeader: { defaultProps: NO_BANNER },
    Notification: { defaultProps: { closeButtonProps: CLOSE } },
  },
})

/** Text colours darker than Mantine's defaults, for a contrast of 4.5:1 on light badges, and on light buttons under the pointer. */
const READABLE = {
  cyan: '#0a5d6c',
  teal: '#066649',
  orange: '#9a3600',
  yellow: '#7a5200',
  red: '#b02525',
  lime: '#3f6212',
} as const

/** Filled buttons are lighter under the pointer by default, where white text has less than 4.5:1. */
const FILLED_HOVER = { '--mantine-color-cyan-filled-hover': READABLE.cyan } as const

/** Outline badges of these colours have less than 4.5:1 on dark cards in Mantine's default shade. */
const OUTLINED = ['red', 'grape', 'indigo'] as const

/** Mantine's dimmed text and some badges have less than 4.5:1 on its backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...FILLED_HOVER,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': READABLE.red,
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    ...Object.fromEntries(
      Object.entries(READABLE).flatMap(([color, value]) => [
        [`--mantine-color-${color}-light-color`, value],
        [`--mantine-color-${color}-text`, value],
      ]),
    ),
  },
  dark: {
    ...FILLED_HOVER,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    ...Object.fromEntries(
      OUTLINED.map((color) => [`--mantine-color-${color}-outline`, `var(--mantine-color-${color}-3)`]),
    ),
  },
})

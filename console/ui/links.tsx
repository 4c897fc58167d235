import {
  Anchor,
  type AnchorProps,
  Badge,
  type BadgeProps,
  Button,
  type ButtonProps,
  Card,
  type CardProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

/** Mantine components as router links. The compiler checks paths, parameters and search parameters. */

type Html<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { readonly ref?: Ref<HTMLAnchorElement> }

export const AnchorLink = createLink((props: Html<AnchorProps>) => <Anchor {...props} />)
export const BadgeLink = createLink((props: Html<BadgeProps>) => <Badge component="a" {...props} />)
export const ButtonLink = createLink((props: Html<ButtonProps>) => <Button component="a" {...props} />)
export const CardLink = createLink((props: Html<CardProps>) => <Card component="a" {...props} />)
export const MenuLink = createLink((props: Html<MenuItemProps>) => <Menu.Item component="a" {...props} />)
export const NavigationLink = createLink((props: Html<NavLinkProps>) => <NavLink {...props} />)

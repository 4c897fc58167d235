-- Old processes must stop first: they take a viewer for a member, who may change the account.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check check (role in ('owner', 'member', 'viewer'));
alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check check (role in ('owner', 'member', 'viewer'));
alter table invitations add column inviter text;

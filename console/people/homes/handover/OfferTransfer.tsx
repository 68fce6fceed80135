import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { Avatar } from '#console/people/Avatar.tsx';
import { PickOne } from '#console/people/PickOne.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { personDetail, personName } from '#console/ui/links/personWords.ts';
import { type Home, listHomeMembers, offerHomeTransfer } from '#contract/home.ts';
import { invitationDays } from '#rules/time/lifetimes.ts';

/** Offers a home to one of its members; ownership changes when they accept. */
export function OfferTransfer({ home, onClose }: { home: Home; onClose: () => void }) {
  const { id: homeId, owner } = home;
  const offer = useCall(offerHomeTransfer);
  const { data, error } = useRead(listHomeMembers, { params: { homeId } });
  const [search, setSearch] = useState('');
  const form = useForm({
    initial: { userId: '' },
    check: ({ userId }) => (userId ? {} : { userId: 'REQUIRED' }),
    async submit({ userId }) {
      await offer.mutateAsync({ params: { homeId }, body: { userId } });
      toast('Transfer offered');
      onClose();
    },
  });
  const people = data
    ?.filter(({ userId }) => userId !== owner.id)
    .map(({ userId: id, name, email }) => ({ id, name, email }));
  const found = people
    ?.filter(({ name, email }) => `${name} ${email ?? ''}`.toLowerCase().includes(search.toLowerCase()))
    .map(person => ({
      value: person.id,
      label: personName(person),
      icon: <Avatar name={person.name} id={person.id} />,
      ...(person.name && { detail: personDetail(person) }),
    }));
  return (
    <CreateDialog title="Offer transfer" form={form} onClose={onClose}>
      <p>
        <b dir="auto">{personName(owner)}</b> stays the owner until the offer is accepted in the app, and
        remains a member afterwards. The offer expires after {invitationDays} days. Both are notified by
        e-mail.
      </p>
      <PickOne
        label="New owner"
        placeholder="Name, e-mail…"
        found={found}
        failed={error}
        none="No such member. Add them to the home first."
        onSearch={setSearch}
        {...form.field('userId')}
      />
    </CreateDialog>
  );
}

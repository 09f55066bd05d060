-- Each of these keys looked its cart or submission up once more, and locked it, for every row that was written. Nothing
-- ever deletes a cart or a submission, and a row is written in the transaction that has read or made the one it names.
alter table dealer_service.cart_items drop constraint cart_items_cart_id_fkey;
alter table dealer_service.submissions drop constraint submissions_cart_id_fkey;
alter table dealer_service.orders drop constraint orders_submission_id_fkey;

-- Deliveries to a deleted target that were being written when its queue was discarded lost the queue, and were never found again.
delete from deliveries where state = 'pending' and not exists (select 1 from delivery_queues q
  where q.instance_id = deliveries.instance_id and q.target_id = deliveries.target_id);

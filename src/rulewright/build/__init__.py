"""What is built: audits with their repairs, and the pieces that every sheet and card is drawn from."""
